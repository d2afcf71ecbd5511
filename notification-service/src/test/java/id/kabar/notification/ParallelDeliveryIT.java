package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Emails of different orders are on their way at once, those of one order one after the other. */
class ParallelDeliveryIT extends RunningService {

  @Test
  void manyOrdersAreDeliveredInTheTimeOfAFewCalls() {
    PROVIDER.acceptsAfter(Duration.ofMillis(500));
    List<UUID> events = IntStream.range(0, 120).mapToObj(i -> records().paid()).toList();
    long started = System.nanoTime();
    events.forEach(this::awaitSent);
    // one after the other in three partitions they would take 20 s
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(8));
    events.forEach(event -> assertThat(PROVIDER.callsFor(event)).isEqualTo(1));
  }

  @Test
  void eventsOfOneOrderAreSentOneAfterTheOther() {
    PROVIDER.acceptsAfter(Duration.ofMillis(100));
    UUID order = UUID.randomUUID();
    List<UUID> events = Stream.generate(UUID::randomUUID).limit(10).toList();
    List<UUID> others = new ArrayList<>();
    for (UUID event : events) {
      records().paid(event, order);
      others.add(records().paid());
    }
    events.forEach(this::awaitSent);
    others.forEach(this::awaitSent);
    List<LoggedRequest> calls =
        events.stream().map(event -> PROVIDER.callsOf(event).getFirst()).toList();
    for (int i = 1; i < calls.size(); i++) {
      assertThat(
              Duration.between(
                  calls.get(i - 1).getLoggedDate().toInstant(),
                  calls.get(i).getLoggedDate().toInstant()))
          .isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }
  }

  @Test
  void aRecordThatFailsHoldsUpNobodyButItsOwnOrder() {
    UUID bad = UUID.randomUUID();
    UUID order = UUID.randomUUID();
    UUID behind = UUID.randomUUID();
    PROVIDER.answersFor(bad, 409);
    records().paid(bad, order);
    records().paid(behind, order);
    List<UUID> others = IntStream.range(0, 200).mapToObj(i -> records().paid()).toList();
    others.forEach(this::awaitSent);
    awaitLetter(bad, "OPEN PROVIDER_UNAVAILABLE");
    awaitSent(behind);
  }
}
