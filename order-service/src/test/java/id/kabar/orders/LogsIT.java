package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.testservers.TestPostgres;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@WholeService
@ExtendWith(OutputCaptureExtension.class)
class LogsIT {

  private static final String SEEDED = "seeded.address";

  @Autowired Shop shop;

  @Test
  void whateverHappensNoAddressIsLogged(CapturedOutput output) {
    String email = SEEDED + "@example.com";
    String order = "{\"customerEmail\": \"" + email + "\", \"totalAmount\": 1}";
    String id = shop.placeOrder(email);
    shop.pay(id, "Idempotency-Key", email, "baggage", "who=" + email);
    shop.pay(id);
    shop.cancel(id);
    shop.post("/orders", order.replace("}", ", \"" + email + "\": 1}"));
    shop.post("/orders", order.replace("1}", "\"" + email + "\"}"));
    shop.post("/orders", order.replace("}", ""));
    shop.get("/orders/" + email);
    shop.get("/orders?status=" + email);
    new RawClient(shop.port())
        .send("GET /orders?customer={" + email + " HTTP/1.1\nHost: localhost");
    refusedByTheDatabase(order);
    duringAnOutage(order);

    assertThat(output.getAll())
        .contains("Committed OrderPaid", id, "A request failed", "The database is not available")
        .doesNotContain(SEEDED);
  }

  /** PostgreSQL's message on a broken constraint quotes the whole row. */
  private void refusedByTheDatabase(String order) {
    shop.database()
        .execute("alter table orders add constraint none check (total_amount <> 1)  not valid");
    try {
      assertThat(shop.post("/orders", order).status()).isEqualTo(500);
    } finally {
      shop.database().execute("alter table orders drop constraint none");
    }
  }

  private void duringAnOutage(String order) {
    TestPostgres.shared().stop();
    try {
      assertThat(List.of(shop.post("/orders", order), shop.get("/orders")))
          .extracting(Shop.Answer::status)
          .containsOnly(503);
    } finally {
      TestPostgres.shared().start();
    }
  }
}
