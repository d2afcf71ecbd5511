package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.orders.Shop.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

@WholeService
class ManagementIT {

  @Autowired Shop shop;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/actuator/health",
        "/actuator/health/liveness",
        "/actuator/health/readiness",
        "/actuator/info",
        "/actuator/prometheus"
      })
  void isOpenForWhoWatches(String path) {
    assertThat(shop.manage(path).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/orders",
        "/actuator",
        "/actuator/env",
        "/actuator/beans",
        "/actuator/heapdump",
        "/actuator/loggers",
        "/actuator/shutdown",
        "/actuator/flyway",
        "/v3/api-docs"
      })
  void showsNothingElse(String path) {
    assertThat(shop.manage(path).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/actuator/health", "/actuator/prometheus", "/actuator/info"})
  void isNotOnThePublicPort(String path) {
    assertThat(shop.get(path).status()).isEqualTo(404);
  }

  @Test
  void readinessKnowsTheDatabaseAndLivenessDoesNot() {
    assertThat(shop.manage("/actuator/health/readiness").json().get("components").propertyNames())
        .containsExactlyInAnyOrder("db", "readinessState");
    assertThat(shop.manage("/actuator/health/liveness").body()).isEqualTo("{\"status\":\"UP\"}");
    assertThat(shop.manage("/actuator/health").body()).doesNotContain("details");
  }

  @Test
  void countsWhatItAppendsAndRings() {
    shop.pay(shop.placeOrder());

    Answer metrics = shop.manage("/actuator/prometheus");

    assertThat(metrics.body())
        .contains("outbox_appended_total{type=\"OrderPaid\"}")
        .contains("outbox_doorbell_rings_total")
        .contains("outbox_doorbell_losses_total")
        .contains("http_server_requests_seconds_count");
  }

  @Test
  void saysWhichServiceItIs() {
    assertThat(shop.manage("/actuator/info").json().at("/service").stringValue())
        .isEqualTo("order-service");
  }
}
