package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.containertests.Http.Answer;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Places and pays orders at a running order-service. */
record Shop(String url) {

  private static final AtomicInteger CUSTOMER = new AtomicInteger();

  /** The id of an order that is paid. */
  String buy() {
    try {
      Answer placed =
          Http.send(
              "POST",
              url + "/orders",
              """
              {"customerEmail": "customer-%d@example.com", "totalAmount": 150000}"""
                  .formatted(CUSTOMER.incrementAndGet()));
      assertThat(placed.status()).as(placed.body()).isEqualTo(201);
      String id = placed.json().required("id").asString();
      Answer paid = Http.send("POST", "%s/orders/%s/pay".formatted(url, id), "");
      assertThat(paid.status()).as(paid.body()).isEqualTo(200);
      return id;
    } catch (IOException e) {
      throw new AssertionError("order-service does not answer", e);
    }
  }

  void buy(int orders) {
    for (int i = 0; i < orders; i++) {
      buy();
    }
  }
}
