package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Kabar.ORDER_SERVICE;
import static id.kabar.systemtests.Kabar.RELAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who is asked to stop in the middle of its work stops soon, and leaves nothing half done. */
@ExtendWith(RunningKabar.class)
class ShutdownIT {

  private record GracePeriod(String service, Duration length) {}

  private static final List<GracePeriod> GRACE_PERIODS =
      List.of(
          new GracePeriod(NOTIFICATION, Duration.ofSeconds(15)),
          new GracePeriod(RELAY, Duration.ofSeconds(10)),
          new GracePeriod(ORDER_SERVICE, Duration.ofSeconds(15)));

  @Test
  void servicesStopWithinTheirGracePeriodsInTheMiddleOfTheirWork(Kabar kabar) {
    int repeats = kabar.figures().repeats();
    kabar.provider().breaks("{\"mode\":\"delay\",\"delayMillis\":400}");
    try (Load load = Load.on(kabar.shop(), 10)) {
      for (GracePeriod period : GRACE_PERIODS) {
        kabar.awaitPaid(load, load.paid() + 10);

        Duration stopping = kabar.stop(period.service());

        System.out.printf("%s stopped in %d ms%n", period.service(), stopping.toMillis());
        assertThat(stopping).as(period.service()).isLessThan(period.length());
        kabar.start(period.service());
      }
      kabar.provider().works();
      kabar.awaitPaid(load, load.paid() + 10);
    }

    kabar.awaitConsumed();
    assertThat(kabar.figures().repeats()).isEqualTo(repeats);
  }
}
