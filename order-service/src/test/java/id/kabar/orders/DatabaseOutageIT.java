package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.orders.Shop.Answer;
import id.kabar.testservers.Database;
import id.kabar.testservers.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

@WholeService
@ExtendWith(OutputCaptureExtension.class)
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

  @Test
  void itStartsBeforeItsDatabaseAndWaitsForIt(CapturedOutput output) throws Exception {
    Database late = TestPostgres.shared().freshDatabase("late", "order_service");
    CompletableFuture<ConfigurableApplicationContext> starting;
    TestPostgres.shared().stop();
    try {
      starting =
          CompletableFuture.supplyAsync(
              () ->
                  new SpringApplicationBuilder(OrderServiceApplication.class)
                      .run(
                          "--server.port=0",
                          "--management.server.port=0",
                          "--spring.datasource.url=" + late.jdbcUrl(),
                          "--spring.datasource.username=" + late.user(),
                          "--spring.datasource.password=" + late.password()));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> output.getAll().contains("Retrying in 1 sec"));
      assertThat(starting).isNotDone();
    } finally {
      TestPostgres.shared().start();
    }

    try (ConfigurableApplicationContext started = starting.get(60, TimeUnit.SECONDS)) {
      assertThat(started.isRunning()).isTrue();
    }
  }
}
