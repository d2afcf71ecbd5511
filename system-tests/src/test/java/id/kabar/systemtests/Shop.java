package id.kabar.systemtests;

import id.kabar.systemtests.Http.Answer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Places and pays orders at order-service, always for a customer never seen before. */
final class Shop {

  /** Part of every customer's address and of nothing else: no log may contain it. */
  static final String CUSTOMERS = "customers.kabar.example";

  private static final AtomicInteger CUSTOMER = new AtomicInteger();

  private final String url;

  Shop(String url) {
    this.url = url;
  }

  /** An order as its customer knows it; the amount is in hundredths of a rupiah. */
  record Purchase(String orderId, String email, long amount) {}

  Purchase place() {
    return place("customer-" + CUSTOMER.incrementAndGet());
  }

  /**
   * @param name what stands before the @ of the customer's address
   */
  Purchase place(String name) {
    String email = name + "@" + CUSTOMERS;
    long amount = 15_000_000;
    String order =
        Http.JSON.writeValueAsString(Map.of("customerEmail", email, "totalAmount", amount));
    Answer placed = Http.send("POST", url + "/orders", order).expect(201);
    return new Purchase(placed.json().required("id").asString(), email, amount);
  }

  /**
   * @param headers names and values in turn
   */
  Answer tryToPay(Purchase purchase, String... headers) {
    return Http.send("POST", "%s/orders/%s/pay".formatted(url, purchase.orderId()), "", headers);
  }

  void pay(Purchase purchase) {
    tryToPay(purchase).expect(200);
  }

  Purchase buy() {
    Purchase purchase = place();
    pay(purchase);
    return purchase;
  }

  /** An order for a customer of this name, paid. */
  Purchase buy(String name) {
    Purchase purchase = place(name + "-" + CUSTOMER.incrementAndGet());
    pay(purchase);
    return purchase;
  }
}
