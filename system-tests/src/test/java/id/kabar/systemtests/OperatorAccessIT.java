package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Kabar.ORDER_SERVICE;
import static id.kabar.systemtests.Kabar.RELAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who is no operator sees whether a service is well, and nothing else. */
@ExtendWith(RunningKabar.class)
class OperatorAccessIT {

  private static final List<String> SERVICES = List.of(ORDER_SERVICE, RELAY, NOTIFICATION);
  private static final String WITHOUT_PASSWORD = "Basic b3BlcmF0b3I6";

  private record Action(String service, String method, String path) {}

  @Test
  void operatorsActionsAreRefusedWithoutCredentials(Kabar kabar) {
    List<Action> actions =
        List.of(
            new Action(NOTIFICATION, "GET", "/dead-letters"),
            new Action(NOTIFICATION, "GET", "/dead-letters/1"),
            new Action(NOTIFICATION, "POST", "/dead-letters/replay"),
            new Action(NOTIFICATION, "POST", "/dead-letters/1/replay"),
            new Action(NOTIFICATION, "POST", "/dead-letters/1/discard"),
            new Action(NOTIFICATION, "GET", "/actuator/loggers"),
            new Action(RELAY, "GET", "/actuator/env"),
            new Action(RELAY, "POST", "/"));
    for (Action action : actions) {
      String url = kabar.stack().management(action.service()) + action.path();
      String body = action.method().equals("POST") ? "{}" : "";

      assertThat(Http.send(action.method(), url, body).status()).as("%s", action).isEqualTo(401);
      assertThat(Http.send(action.method(), url, body, "Authorization", WITHOUT_PASSWORD).status())
          .as("%s, without a password", action)
          .isEqualTo(401);
    }
  }

  @Test
  void healthAndMetricsAreOpen(Kabar kabar) {
    for (String service : SERVICES) {
      for (String path :
          List.of("health", "health/liveness", "health/readiness", "info", "prometheus")) {
        String url = kabar.stack().management(service) + "/actuator/" + path;
        assertThat(Http.get(url).status()).as(url).isEqualTo(200);
      }
    }
  }

  @Test
  void publicPortServesOrdersAndNothingToOperate(Kabar kabar) {
    for (String path : List.of("/dead-letters", "/actuator/health", "/actuator/prometheus")) {
      String url = kabar.stack().orders() + path;
      assertThat(Http.get(url).status()).as(url).isEqualTo(404);
    }
    String environment = kabar.stack().management(ORDER_SERVICE) + "/actuator/env";
    assertThat(Http.get(environment).status()).as(environment).isIn(401, 404);
  }
}
