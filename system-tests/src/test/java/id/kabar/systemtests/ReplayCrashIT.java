package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Kabar.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.systemtests.Operator.Replay;
import id.kabar.systemtests.Shop.Purchase;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** K-5 when the instance that replays dies half-way. */
@ExtendWith(RunningKabar.class)
class ReplayCrashIT {

  private static final int LETTERS = 24;

  @Test
  void replayKilledHalfWayIsTakenUpWhereItWasLeft(Kabar kabar) {
    kabar.provider().breaks("{\"mode\":\"status\",\"status\":422,\"address\":\"^refused\"}");
    List<Purchase> purchases =
        Stream.generate(() -> kabar.shop().buy("refused")).limit(LETTERS).toList();
    purchases.forEach(kabar::awaitLetter);
    kabar.provider().works();

    Replay replay = kabar.operator().replay("REJECTED", 4);
    patiently("the replay is under way")
        .until(() -> kabar.operator().replay(replay.id()).replayed() >= 4);
    kabar.kill(NOTIFICATION);
    kabar.start(NOTIFICATION);
    kabar.awaitHealthy(NOTIFICATION);
    assertThat(kabar.operator().replay(replay.id()).state()).isEqualTo("RUNNING");

    purchases.forEach(kabar::awaitResolved);
    Replay ended =
        patiently("the replay ends")
            .until(() -> kabar.operator().replay(replay.id()), it -> !it.state().equals("RUNNING"));
    assertThat(ended.replayed()).isEqualTo(replay.letters());
    int records = 0;
    for (Purchase purchase : purchases) {
      assertThat(kabar.provider().accepted(kabar.eventOf(purchase))).isEqualTo(1);
      records += kabar.recordsOf(purchase).size();
    }
    // only the letter that was sent and not yet noted may have been sent twice
    assertThat(records).isBetween(2 * LETTERS, 2 * LETTERS + 1);
  }
}
