package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Kabar.PROVIDER;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.systemtests.Operator.Letter;
import id.kabar.systemtests.Shop.Purchase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * K-3 to K-5 while the provider is down, frozen, flapping, or too slow: events wait, for a bounded
 * time; then each customer has exactly one email, and no letter is open that needs nobody.
 *
 * <p>{@code -Dkabar.outage.events=2000} makes the long outage as long as it is meant to be.
 */
@ExtendWith(RunningKabar.class)
class ProviderOutageIT {

  private static final int EVENTS = Integer.getInteger("kabar.outage.events", 300);

  @Test
  void whatOutlastsTheHoldIsDeadLetteredInSecondsAndSentOnceTheProviderIsBack(Kabar kabar) {
    kabar
        .provider()
        .breaks(
            """
            [{"mode": "status", "status": 422, "address": "^rejected-"}, {"mode": "status", "status": 503}]
            """);
    int refused = kabar.provider().refused();
    Purchase rejected = kabar.shop().buy("rejected");
    List<Purchase> purchases = buy(kabar, EVENTS);

    awaitMetric(kabar, "notification_giving_up");
    kabar.awaitConsumed();
    // nobody hammers a provider that is down: one call per record in flight, then one per probe
    assertThat(kabar.provider().refused() - refused).isLessThan(200);
    assertThat(kabar.isReady(NOTIFICATION)).isTrue();

    // the one that is refused for its own fault is told from those that wait
    Letter letter = kabar.awaitLetter(rejected);
    assertThat(letter.state() + " " + letter.cause()).isEqualTo("OPEN REJECTED");

    kabar.provider().works();
    awaitAllSent(kabar, purchases);
    kabar.replayAll(); // a person sees to what the provider refused for its own fault
    awaitAllSent(kabar, List.of(rejected));
  }

  @Test
  void aFrozenProviderPausesTheListenerAndEverythingIsSentAfterTheThaw(Kabar kabar) {
    kabar.freeze(PROVIDER);
    List<Purchase> purchases = buy(kabar, 40);
    awaitMetric(kabar, "notification_paused");
    assertThat(kabar.isReady(NOTIFICATION)).isTrue();
    assertThat(kabar.isLive(NOTIFICATION)).isTrue();
    kabar.thaw(PROVIDER);
    awaitAllSent(kabar, purchases);
  }

  @Test
  void aFlappingProviderLosesNothing(Kabar kabar) {
    List<Purchase> purchases = new ArrayList<>();
    for (int flap = 0; flap < 4; flap++) {
      kabar.provider().breaks("{\"mode\": \"status\", \"status\": 503}");
      purchases.addAll(buy(kabar, 30));
      awaitMetric(kabar, "notification_paused");
      kabar.provider().works();
      purchases.addAll(buy(kabar, 10));
    }
    awaitAllSent(kabar, purchases);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"mode\": \"delay\", \"delayMillis\": 2900}",
        "{\"mode\": \"delay\", \"delayMillis\": 3100}",
        "{\"mode\": \"drip\", \"delayMillis\": 8000}"
      })
  void aProviderSlowBelowOrAboveTheDeadlineSendsEachEmailOnce(String fault, Kabar kabar) {
    kabar.provider().breaks(fault);
    List<Purchase> purchases = buy(kabar, 15);
    Kabar.patiently("the provider was called")
        .atMost(Duration.ofSeconds(20))
        .until(() -> kabar.provider().accepted(kabar.eventOf(purchases.getLast())) > 0);
    kabar.provider().works();
    awaitAllSent(kabar, purchases);
  }

  private static List<Purchase> buy(Kabar kabar, int count) {
    return IntStream.range(0, count).parallel().mapToObj(i -> kabar.shop().buy()).toList();
  }

  private static void awaitMetric(Kabar kabar, String name) {
    Kabar.patiently(name).until(() -> kabar.metric(NOTIFICATION, name) == 1);
  }

  /** Each customer has exactly one email, and no letter is open that a person need not see. */
  private static void awaitAllSent(Kabar kabar, List<Purchase> purchases) {
    List<String> orders = purchases.stream().map(Purchase::orderId).toList();
    Kabar.patiently("all emails are sent").until(() -> kabar.databases().unsent(orders) == 0);
    for (Purchase purchase : purchases) {
      assertThat(kabar.provider().acceptedFor(purchase.email())).isEqualTo(1);
      assertThat(kabar.operator().letterOf(purchase.orderId()).map(Letter::state).orElse("NONE"))
          .isIn("NONE", "RESOLVED");
    }
  }
}
