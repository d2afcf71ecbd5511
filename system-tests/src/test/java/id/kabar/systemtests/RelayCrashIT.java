package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.RELAY;
import static id.kabar.systemtests.Provider.Delivery.ONE_EMAIL;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.systemtests.Shop.Purchase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** K-1 and K-6 while relays come, go and die: nothing is lost, and repeats are the exception. */
@ExtendWith(RunningKabar.class)
class RelayCrashIT {

  private static final String OTHER_RELAY = RELAY + "#2";

  @Test
  void eventSentByARelayThatDiesBeforeItSettlesIsSentAgainAndMailedOnce(Kabar kabar) {
    kabar.stop(OTHER_RELAY);
    Purchase purchase = kabar.shop().place();

    try (RowLock settling = payAndHoldItsSettling(kabar, purchase)) {
      settling.awaitVictim();
      assertThat(kabar.recordsOf(purchase)).hasSize(1);
      kabar.kill(RELAY);
    }
    kabar.start(OTHER_RELAY);

    kabar.awaitRecords(purchase, 2);
    kabar.awaitConsumed();
    assertThat(kabar.provider().delivered(kabar.eventOf(purchase)).counts()).isEqualTo(ONE_EMAIL);
  }

  @Test
  void relayFrozenPastItsLockLosesItToAnotherAndChangesNothingWhenItThaws(Kabar kabar) {
    kabar.stop(OTHER_RELAY);
    Purchase purchase = kabar.shop().place();

    try (RowLock settling = payAndHoldItsSettling(kabar, purchase)) {
      settling.awaitVictim();
      kabar.freeze(RELAY);
    }
    // Its settle is done but not committed, and it cannot say another word: the database waits for
    // relay.timeouts.session, then gives its buckets to the other one.
    kabar.start(OTHER_RELAY);
    kabar.awaitRecords(purchase, 2);
    kabar.awaitPublished();
    kabar.thaw(RELAY);

    kabar.awaitHealthy(RELAY);
    kabar.awaitConsumed();
    assertThat(kabar.recordsOf(purchase)).hasSize(2);
    assertThat(kabar.provider().delivered(kabar.eventOf(purchase)).counts()).isEqualTo(ONE_EMAIL);
  }

  @Test
  void relaysThatComeAndGoInOrderNeverPublishAnEventTwice(Kabar kabar) {
    int repeats = kabar.figures().repeats();
    int before = kabar.figures().records();

    Load load = Load.on(kabar.shop(), 20);
    try (load) {
      kabar.scale(RELAY, 4);
      kabar.awaitPaid(load, load.paid() + 40);
      kabar.scale(RELAY, 1);
      kabar.awaitPaid(load, load.paid() + 40);
      kabar.scale(RELAY, 2);
      kabar.awaitPaid(load, Math.max(300, load.paid() + 20));
    }
    // relays that start take processors from a shop that has just begun: it may ask to come back
    assertThat(load.refusals()).allMatch(refusal -> refusal.contains("answered 503"));
    kabar.awaitConsumed();

    assertThat(kabar.figures().records()).isGreaterThanOrEqualTo(before + 300);
    assertThat(kabar.figures().repeats()).isEqualTo(repeats);
  }

  /** The relay can claim and send the event, but not settle it while the returned lock is held. */
  private static RowLock payAndHoldItsSettling(Kabar kabar, Purchase purchase) {
    try (RowLock _ = kabar.databases().lockBuckets()) {
      kabar.shop().pay(purchase);
      return kabar.databases().lockEvent(kabar.eventOf(purchase));
    }
  }
}
