package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.systemtests.Provider.Delivery;
import id.kabar.systemtests.Shop.Purchase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** K-3 when consumers die or freeze between the provider's answer and their own commit. */
@ExtendWith(RunningKabar.class)
class NotificationCrashIT {

  /** How often a consumer is killed under load; a longer proof takes 100. */
  private static final int KILLS = Integer.getInteger("kabar.kills", 5);

  @Test
  void consumerKilledBetweenTheProvidersAnswerAndItsCommitMailsOnce(Kabar kabar) {
    kabar.provider().breaks("{\"mode\":\"delay\",\"delayMillis\":1500}");
    Purchase purchase = kabar.shop().buy();
    String event = kabar.eventOf(purchase);
    kabar.awaitState(event, "SENDING");

    try (RowLock finishing = kabar.databases().lockClaim(event)) {
      finishing.awaitVictim();
      assertThat(kabar.provider().accepted(event)).isEqualTo(1);
      kabar.kill(NOTIFICATION);
      finishing.endVictims();
    }
    assertThat(kabar.databases().stateOf(event)).contains("SENDING");
    kabar.provider().works();
    kabar.start(NOTIFICATION);

    kabar.awaitState(event, "SENT");
    assertThat(kabar.provider().delivered(event).counts())
        .isEqualTo(new Delivery(1, 1, java.util.List.of()));
  }

  @Test
  void consumersKilledAgainAndAgainUnderLoadMailEveryPaymentOnce(Kabar kabar) {
    // The answer comes late: at any moment there are emails accepted and not yet written down.
    kabar.provider().breaks("{\"mode\":\"delay\",\"delayMillis\":700,\"afterAccepting\":true}");
    try (Load _ = Load.on(kabar.shop(), 3)) {
      for (int kill = 0; kill < KILLS; kill++) {
        int accepted = kabar.provider().acceptedInAll();
        await("the provider accepts an email")
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(20))
            .until(() -> kabar.provider().acceptedInAll() > accepted);
        kabar.kill(NOTIFICATION);
        kabar.start(NOTIFICATION);
      }
    }
    kabar.provider().works();

    kabar.awaitConsumed();
    assertThat(kabar.figures().sending()).isZero();
    assertThat(kabar.figures().repeatedCalls()).isPositive();
  }

  @Test
  void consumerFrozenPastItsClaimAndItsGroupMailsOnceWhenItThaws(Kabar kabar) {
    String other = NOTIFICATION + "#2";
    kabar.scale(NOTIFICATION, 2);
    kabar.stop(other);
    kabar.provider().breaks("{\"mode\":\"delay\",\"delayMillis\":2500,\"afterAccepting\":true}");
    String event = kabar.eventOf(kabar.shop().buy());
    kabar.awaitEmail(event);
    kabar.freeze(NOTIFICATION); // it will never hear the answer to its call
    kabar.provider().works();
    assertThat(kabar.databases().stateOf(event)).contains("SENDING");

    kabar.start(other);
    kabar.awaitState(event, "SENT");
    kabar.thaw(NOTIFICATION);

    kabar.awaitHealthy(NOTIFICATION);
    kabar.awaitConsumed();
    assertThat(kabar.provider().accepted(event)).isEqualTo(1);
  }
}
