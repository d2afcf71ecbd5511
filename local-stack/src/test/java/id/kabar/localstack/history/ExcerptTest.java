package id.kabar.localstack.history;

import static id.kabar.localstack.history.Past.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.localstack.history.History.Delivery;
import id.kabar.localstack.history.History.Order;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExcerptTest {

  private static final Instant LATER = NOON.plusSeconds(1);

  @Test
  void ordersOfEarlierDaysAreLeftOutWithAllThatBelongsToThem() {
    Past past = Past.of("a", "b");
    past.neverMailed("event-a");

    Verdict verdict = judged(past, LATER);

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.figures()).isEqualTo(new Figures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void earlierOrderThatIsPaidOnlyNowIsLeftOutWhole() {
    Past past = new Past();
    past.orders.add(new Order("a", "PAID", 1, NOON.minusSeconds(1), NOON.plusMillis(10)));
    past.settled("a", "event-a");
    past.mailed("event-a");

    assertThat(judged(past, NOON).violations()).isEmpty();
    assertThat(judged(past, NOON).figures().orders()).isZero();
  }

  @Test
  void ordersSinceThenAreJudged() {
    Past past = Past.of("a", "b");
    past.neverMailed("event-a");

    assertThat(judged(past, NOON).violations())
        .extracting(Violation::kind)
        .containsExactly(Kind.VANISHED);
  }

  @Test
  void emailThatBelongsToNoOrderStaysAGhost() {
    Past past = Past.of("a");
    past.inbox.add(new Delivery("nobody's", 1, 0));

    assertThat(judged(past, LATER).violations())
        .extracting(Violation::kind)
        .containsExactly(Kind.GHOST);
  }

  @Test
  void recordThatWasPlantedIsNoGhostAndOneThatWasNotIs() {
    Past past = Past.of("a");
    past.publish(History.TOPIC, "x", "planted", Map.of(Excerpt.PLANTED, "poison"));
    past.deadLetter("x", "planted", Map.of(Excerpt.PLANTED, "poison"));

    assertThat(judged(past, NOON).violations()).isEmpty();

    past.publish("y", "smuggled");
    assertThat(judged(past, NOON).violations())
        .extracting(Violation::subject)
        .containsExactly("smuggled");
  }

  private static Verdict judged(Past past, Instant since) {
    return HistoryCheck.judge(Excerpt.since(since, past.history()));
  }
}
