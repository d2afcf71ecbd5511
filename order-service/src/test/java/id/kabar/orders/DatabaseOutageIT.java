package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.orders.Shop.Answer;
import id.kabar.testservers.TestPostgres;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@WholeService
class DatabaseOutageIT {

  @Autowired Shop shop;

  @Test
  void whilePostgresIsAwayClientsAreAskedToComeBackAndThenItWorksByItself() {
    String id = shop.placeOrder();
    String order =
        """
        {"customerEmail": "ani@example.com", "totalAmount": 1}
        """;
    TestPostgres.shared().stop();
    try {
      List<Answer> answers =
          List.of(
              shop.pay(id),
              shop.pay(id, "Idempotency-Key", "in-the-outage"),
              shop.post("/orders", order),
              shop.get("/orders/" + id),
              shop.get("/orders"));

      assertThat(answers)
          .allSatisfy(
              answer -> {
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.header("Content-Type")).contains("application/problem+json");
                assertThat(answer.header("Retry-After")).contains("2");
                assertThat(answer.type()).isEqualTo("database-unavailable");
              });
      assertThat(shop.manage("/actuator/health/liveness").status()).isEqualTo(200);
      assertThat(shop.manage("/actuator/health/readiness").status()).isEqualTo(503);
    } finally {
      TestPostgres.shared().start();
    }

    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(shop.get("/orders/" + id).status()).isEqualTo(200));
    assertThat(shop.statusOf(id)).isEqualTo("PENDING");
    assertThat(shop.eventsOf(id)).isZero();
    assertThat(shop.pay(id, "Idempotency-Key", "in-the-outage").status()).isEqualTo(200);
    assertThat(shop.eventsOf(id)).isEqualTo(1);
    await()
        .untilAsserted(
            () -> assertThat(shop.manage("/actuator/health/readiness").status()).isEqualTo(200));
  }
}
