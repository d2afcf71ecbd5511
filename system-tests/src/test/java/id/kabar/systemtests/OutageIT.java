package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.KAFKA;
import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Kabar.ORDER_SERVICE;
import static id.kabar.systemtests.Kabar.POSTGRES;
import static id.kabar.systemtests.Kabar.RELAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.systemtests.Http.Answer;
import id.kabar.systemtests.Shop.Purchase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * K-1 while the servers behind the services are away: nothing is lost, and nobody needs a restart.
 */
@ExtendWith(RunningKabar.class)
class OutageIT {

  private static final List<String> SERVICES = List.of(ORDER_SERVICE, RELAY, NOTIFICATION);

  @Test
  void paymentsGoOnWhileKafkaIsAwayAndNoneIsLostOrParked(Kabar kabar) {
    try (Load load = Load.on(kabar.shop(), 20)) {
      kabar.awaitPaid(load, 20);
      kabar.kill(KAFKA);
      await("the relay says that Kafka is away")
          .atMost(Duration.ofSeconds(60))
          .until(() -> !kabar.isHealthy(RELAY));
      kabar.awaitPaid(load, load.paid() + 100);
      assertThat(kabar.databases().unpublished()).isPositive();
      SERVICES.forEach(service -> assertThat(kabar.isLive(service)).as(service).isTrue());
      kabar.start(KAFKA);
      kabar.awaitPaid(load, load.paid() + 20);
      assertThat(load.refusals()).isEmpty();
    }

    kabar.awaitConsumed();
    assertThat(kabar.databases().refused()).isZero();
    SERVICES.forEach(kabar::awaitHealthy);
  }

  @Test
  void paymentsAreAskedToComeBackWhilePostgresIsAwayAndRecoverByThemselves(Kabar kabar) {
    Purchase purchase = kabar.shop().place();
    try (Load load = Load.on(kabar.shop(), 10)) {
      kabar.awaitPaid(load, 20);
      kabar.kill(POSTGRES);
      Answer refusal =
          await("order-service asks its customers to come back")
              .atMost(Duration.ofSeconds(20))
              .until(() -> kabar.shop().tryToPay(purchase), answer -> answer.status() == 503);
      assertThat(refusal.header("Content-Type")).startsWith("application/problem+json");
      assertThat(refusal.header("Retry-After")).isNotEmpty();
      SERVICES.forEach(service -> assertThat(kabar.isLive(service)).as(service).isTrue());

      kabar.start(POSTGRES);
      await("order-service recovers by itself")
          .atMost(Duration.ofSeconds(10))
          .ignoreExceptions()
          .until(() -> kabar.shop().tryToPay(purchase).status() == 200);
      kabar.awaitPaid(load, load.paid() + 20);
    }

    kabar.awaitEmail(kabar.eventOf(purchase));
    kabar.awaitConsumed();
    SERVICES.forEach(kabar::awaitHealthy);
  }
}
