package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Kabar.ORDER_SERVICE;
import static id.kabar.systemtests.Kabar.RELAY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is no operator sees whether a service is well, and nothing else. */
@ExtendWith(RunningKabar.class)
class OperatorAccessIT {

  @ParameterizedTest
  @CsvSource({
    NOTIFICATION + ", GET, /dead-letters",
    NOTIFICATION + ", GET, /dead-letters/1",
    NOTIFICATION + ", POST, /dead-letters/replay",
    NOTIFICATION + ", POST, /dead-letters/1/replay",
    NOTIFICATION + ", POST, /dead-letters/1/discard",
    RELAY + ", GET, /parked",
    RELAY + ", POST, /parked/1/retry",
    RELAY + ", GET, /actuator/env",
    ORDER_SERVICE + ", GET, /actuator/env",
  })
  void operatorsActionIsRefusedWithoutCredentials(
      String service, String method, String path, Kabar kabar) {
    String url = kabar.stack().management(service) + path;
    String body = method.equals("POST") ? "{}" : "";

    assertThat(Http.send(method, url, body).status()).isEqualTo(401);
    assertThat(Http.send(method, url, body, "Authorization", "Basic b3BlcmF0b3I6").status())
        .isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {ORDER_SERVICE, RELAY, NOTIFICATION})
  void healthAndMetricsAreOpen(String service, Kabar kabar) {
    for (String path :
        new String[] {"health", "health/liveness", "health/readiness", "info", "prometheus"}) {
      String url = kabar.stack().management(service) + "/actuator/" + path;
      assertThat(Http.get(url).status()).as(url).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dead-letters", "/actuator/health", "/actuator/prometheus"})
  void publicPortServesOrdersAlone(String path, Kabar kabar) {
    assertThat(Http.get(kabar.stack().orders() + path).status()).isIn(401, 404);
  }
}
