package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Kabar.ORDER_SERVICE;
import static id.kabar.systemtests.Kabar.RELAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is asked to stop in the middle of its work stops soon, and leaves nothing half done. */
@ExtendWith(RunningKabar.class)
class ShutdownIT {

  @ParameterizedTest
  @CsvSource({ORDER_SERVICE + ", 15", RELAY + ", 10", NOTIFICATION + ", 15"})
  void serviceStopsWithinItsGracePeriodInTheMiddleOfItsWork(
      String service, int seconds, Kabar kabar) {
    int repeats = kabar.figures().repeats();
    kabar.provider().breaks("{\"mode\":\"delay\",\"delayMillis\":400}");
    try (Load load = Load.on(kabar.shop(), 10)) {
      kabar.awaitPaid(load, 20);

      Duration stopping = kabar.stop(service);

      assertThat(stopping).isLessThan(Duration.ofSeconds(seconds));
      kabar.provider().works();
      kabar.start(service);
      kabar.awaitPaid(load, load.paid() + 10);
    }
    kabar.awaitConsumed();
    assertThat(kabar.figures().repeats()).isEqualTo(repeats);
  }
}
