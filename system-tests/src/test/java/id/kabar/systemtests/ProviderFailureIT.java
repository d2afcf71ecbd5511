package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.PROVIDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.systemtests.Operator.Letter;
import id.kabar.systemtests.Shop.Purchase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * K-4 and K-5: what cannot be sent does not stand in the way, is kept with its cause, and is sent
 * later.
 */
@ExtendWith(RunningKabar.class)
class ProviderFailureIT {

  /** No record may hold its partition longer. */
  private static final Duration BOUND = Duration.ofSeconds(60);

  @Test
  void rejectedEmailIsDeadLetteredAfterASingleCall(Kabar kabar) {
    int refused = kabar.provider().refused();
    kabar.provider().breaks("{\"mode\":\"status\",\"status\":422,\"address\":\"^rejected\"}");
    Purchase purchase = kabar.shop().buy("rejected");

    Letter letter = kabar.awaitLetter(purchase);

    assertThat(letter.cause()).isEqualTo("REJECTED");
    assertThat(letter.attempts()).isEqualTo(1);
    assertThat(kabar.provider().refused()).isEqualTo(refused + 1);
    assertThat(kabar.provider().accepted(kabar.eventOf(purchase))).isZero();

    kabar.provider().works();
    kabar.replay(letter);
    kabar.awaitEmail(kabar.eventOf(purchase));
    kabar.awaitResolved(purchase);
  }

  @Test
  void unavailableProviderIsAskedAgainBeforeTheEmailIsDeadLettered(Kabar kabar) {
    int refused = kabar.provider().refused();
    kabar.provider().breaks("{\"mode\":\"status\",\"status\":503,\"address\":\"^unavailable\"}");
    Purchase purchase = kabar.shop().buy("unavailable");

    Letter letter = kabar.awaitLetter(purchase);

    assertThat(letter.heldFor()).isLessThan(BOUND);
    assertThat(letter.cause()).isEqualTo("PROVIDER_UNAVAILABLE");
    assertThat(letter.attempts()).isGreaterThan(1);
    assertThat(kabar.provider().refused()).isGreaterThan(refused + 1);

    kabar.provider().works();
    kabar.replay(letter);
    kabar.awaitEmail(kabar.eventOf(purchase));
    kabar.awaitResolved(purchase);
  }

  @Test
  void killedProviderHoldsNobodyUpAndEverythingIsSentOnceItIsBack(Kabar kabar) {
    kabar.kill(PROVIDER);
    List<Purchase> purchases = Stream.generate(() -> kabar.shop().buy()).limit(4).toList();

    for (Purchase purchase : purchases) {
      assertThat(kabar.awaitLetter(purchase).heldFor()).isLessThan(BOUND);
    }
    kabar.awaitConsumed();
    kabar.start(PROVIDER);
    kabar.replayAll();
    for (Purchase purchase : purchases) {
      kabar.awaitEmail(kabar.eventOf(purchase));
      kabar.awaitResolved(purchase);
    }
    Purchase later = kabar.shop().buy();
    kabar.awaitEmail(kabar.eventOf(later));
    await().until(() -> kabar.provider().acceptedInAll() == purchases.size() + 1);
  }
}
