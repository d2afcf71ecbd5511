package id.kabar.localstack.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import id.kabar.localstack.history.History.Audit;
import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.History.Delivery;
import id.kabar.localstack.history.History.OutboxEvent;
import id.kabar.localstack.history.History.ProcessedEvent;
import id.kabar.localstack.history.History.Stage;
import id.kabar.localstack.history.Run.Action;
import id.kabar.localstack.history.Run.Disturbance;
import id.kabar.localstack.history.Run.Operation;
import id.kabar.localstack.history.Run.Outcome;
import id.kabar.localstack.history.Run.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What customers were told and how long things took is judged too, and survives being written. */
class RunCheckTest {

  private final Past past = Past.of("a");
  private final List<Operation> operations = new ArrayList<>();
  private final List<Disturbance> disturbances = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();

  @Test
  void customersWhoWereToldTheTruthAreContent() {
    told(Action.PLACE, "a", 0, Outcome.UNKNOWN, Outcome.OK);
    told(Action.PAY, "a", 0, Outcome.FAIL, Outcome.OK);

    assertThat(kinds()).isEmpty();
  }

  @Test
  void unknownOutcomeMayBeEither() {
    told(Action.PLACE, "a", 0, Outcome.UNKNOWN);
    told(Action.PAY, "a", 0, Outcome.UNKNOWN);
    told(Action.PLACE, null, 7, Outcome.UNKNOWN);
    told(Action.CANCEL, "a", 0, Outcome.UNKNOWN);

    assertThat(kinds()).isEmpty();
  }

  @Test
  void confirmedPaymentThatIsNotInTheDatabaseIsLost() {
    past.pending("b");
    told(Action.PLACE, "a", 0, Outcome.OK);
    told(Action.PAY, "a", 0, Outcome.OK);
    told(Action.PLACE, "b", 1, Outcome.OK);
    told(Action.PAY, "b", 1, Outcome.OK);

    assertThat(kinds()).containsExactly(Kind.LOST);
  }

  @Test
  void confirmedOrderThatIsNotInTheDatabaseIsLost() {
    told(Action.PLACE, "a", 0, Outcome.OK);
    told(Action.PAY, "a", 0, Outcome.OK);
    told(Action.PLACE, "b", 1, Outcome.OK);

    assertThat(kinds()).containsExactly(Kind.LOST);
  }

  @Test
  void refusedPaymentThatHappenedIsAGhost() {
    told(Action.PLACE, "a", 0, Outcome.OK);
    told(Action.PAY, "a", 0, Outcome.FAIL, Outcome.FAIL);

    assertThat(kinds()).containsExactly(Kind.GHOST);
  }

  @Test
  void refusedOrderThatIsThereIsAGhost() {
    past.pending("b");
    told(Action.PLACE, "a", 0, Outcome.OK);
    told(Action.PAY, "a", 0, Outcome.OK);
    told(Action.PLACE, null, 1, Outcome.FAIL);

    assertThat(kinds()).containsExactly(Kind.GHOST);
  }

  @Test
  void orderNobodyAskedForIsAGhost() {
    past.pending("b");
    told(Action.PLACE, "a", 0, Outcome.OK);
    told(Action.PAY, "a", 0, Outcome.OK);

    assertThat(kinds()).containsExactly(Kind.GHOST);
  }

  @Test
  void oneWishWithTwoOrdersIsSeveral() {
    past.pending("b");
    past.orders.replaceAll(
        it -> new History.Order(it.id(), it.status(), 5, it.createdAt(), it.paidAt()));
    told(Action.PLACE, "a", 5, Outcome.UNKNOWN, Outcome.OK);
    told(Action.PAY, "a", 5, Outcome.OK);

    assertThat(kinds()).containsExactly(Kind.SEVERAL_EVENTS);
  }

  @Test
  void eventsOfOneAggregateThatOvertookEachOtherAreOutOfOrder() {
    probe("probe-1", "one", 100, Outcome.OK);
    probe("probe-1", "two", 99, Outcome.OK);

    assertThat(kinds()).containsExactly(Kind.OUT_OF_ORDER);
  }

  @Test
  void eventThatWasRolledBackAndIsThereIsAGhost() {
    probe("probe-1", "one", 100, Outcome.FAIL);

    assertThat(kinds()).containsExactly(Kind.GHOST);
  }

  @Test
  void recordThatHoldsItsPartitionBeyondTheBoundIsHeld() {
    sample(0, 5, 6);
    for (int second = 1; second <= 70; second++) {
      sample(second, 5, 6);
    }

    assertThat(kinds()).containsExactly(Kind.HELD);
  }

  @Test
  void outageOfTheProviderMayAddItsHoldAndNoMore() {
    disturbed("email-stub", 20, 130);
    for (int second = 0; second <= 110; second++) {
      sample(second, 5, 6);
    }
    assertThat(kinds()).isEmpty();

    for (int second = 111; second <= 130; second++) {
      sample(second, 5, 6);
    }
    assertThat(kinds()).containsExactly(Kind.HELD);
  }

  @Test
  void deadConsumerIsAnExcuse() {
    disturbed("notification-service", 20, 30);
    for (int second = 0; second <= 100; second++) {
      sample(second, 5, 6);
    }
    assertThat(kinds()).isEmpty();
  }

  @Test
  void partitionWhoseConsumersGoOnOrHaveNothingToDoIsNotHeld() {
    for (int second = 0; second <= 70; second++) {
      sample(second, second / 30, 9);
    }
    for (int second = 71; second <= 170; second++) {
      sample(second, 9, 9);
    }

    assertThat(kinds()).isEmpty();
  }

  @Test
  void repeatIsAViolationOnlyWhereNobodyWasDisturbed() {
    past.publish("a", "event-a");
    assertThat(kinds()).containsExactly(Kind.REPEATED);

    disturbed("outbox-relay", -10, 1);
    assertThat(kinds()).isEmpty();
  }

  @Test
  void newsThatNeverArrivedIsUnsettled() {
    Run run = new Run(1, Past.NOON, Past.NOON, null, List.of(), List.of(), List.of());

    assertThat(kinds(HistoryCheck.judge(past.history(), run))).containsExactly(Kind.UNSETTLED);
  }

  @Test
  void replayThatNobodyFinishedHasNoEnd() {
    past.processed.replaceAll(it -> new ProcessedEvent(it.eventId(), "UNSENT", null));
    past.deadLetter("a", "event-a", Map.of(History.CAUSE, "REJECTED"));
    past.deadLetters.add(new DeadLetter("event-a", "REPLAYED", "REJECTED", Past.NOON));

    assertThat(kinds()).containsExactly(Kind.REPLAY_WITHOUT_END);
  }

  @Test
  void whatIsReadBackIsJudgedAlike(@TempDir Path folder) {
    told(Action.PLACE, "a", 0, Outcome.OK);
    told(Action.PAY, "a", 0, Outcome.UNKNOWN);
    probe("probe-1", "one", 100, Outcome.OK);
    probe("probe-1", "two", 99, Outcome.OK);
    past.paid("b");
    past.append("b", "event-b", new Stage.Pending(2));
    past.paid("c");
    past.append("c", "event-c", new Stage.Parked(5, "too large"));
    past.deadLetter("a", "event-a", Map.of());
    past.deadLetters.add(new DeadLetter("event-a", "OPEN", "REJECTED", Past.NOON));
    past.audit.add(new Audit(Past.NOON, "outbox_audit", "operator", "RETRY", 3));
    past.inbox.add(new Delivery("event-a", 1, 0, "hash"));
    sample(0, 5, 6);
    disturbed("kafka", 1, 2);
    Path file = folder.resolve("history.jsonl");

    HistoryFile.write(file, run(), past.history());
    HistoryFile.Contents back = HistoryFile.read(file);

    assertThat(back.run()).isEqualTo(run());
    assertThat(HistoryCheck.judge(back.history(), back.run()))
        .isEqualTo(HistoryCheck.judge(past.history(), run()));
    assertThat(back.history().audit()).isEqualTo(past.audit);
  }

  @Test
  void fileHasTheSeedInItsHeadAndNoPayload(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("history.jsonl");

    HistoryFile.write(file, run(), past.history());

    assertThat(Files.readAllLines(file).getFirst()).contains("\"seed\":42");
    assertThat(Files.readString(file)).doesNotContain(Past.payload("event-a"), "eventId\\\"");
  }

  @Test
  void fileThatIsNoHistoryIsRefusedWithTheLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("history.jsonl");
    HistoryFile.write(file, run(), past.history());
    Files.writeString(file, Files.readString(file) + "{\"rumour\":{}}\n");

    assertThatThrownBy(() -> HistoryFile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("line", "nobody knows a 'rumour'");
    Files.writeString(file, "");
    assertThatThrownBy(() -> HistoryFile.read(file)).hasMessageContaining("no line with the run");
  }

  @Test
  void storyOfAnOrderTellsWhatItsCustomerWasTold() {
    past.pending("b");
    told(Action.PLACE, "a", 0, Outcome.OK);
    told(Action.PAY, "a", 0, Outcome.OK);
    told(Action.PLACE, null, 1, Outcome.UNKNOWN);
    told(Action.PLACE, "b", 1, Outcome.OK);
    told(Action.PAY, "b", 1, Outcome.OK);

    assertThat(HistoryCheck.judge(past.history(), run()).toString())
        .contains("asks to place", "place: UNKNOWN", "pay: OK", "PENDING");
  }

  private void told(Action action, @Nullable String order, long amount, Outcome... outcomes) {
    for (Outcome outcome : outcomes) {
      operations.add(
          new Operation(
              "customer-1",
              action,
              action + "-" + amount,
              order,
              amount,
              Past.NOON,
              Past.NOON.plusMillis(5),
              outcome,
              "by the test"));
    }
  }

  private void probe(String aggregate, String event, long position, Outcome outcome) {
    if (operations.isEmpty()) {
      told(Action.PLACE, "a", 0, Outcome.OK);
      told(Action.PAY, "a", 0, Outcome.OK);
    }
    var record = past.publish(History.PROBE_TOPIC, aggregate, event, Map.of());
    past.events.add(
        new OutboxEvent(
            event,
            position,
            aggregate,
            History.PROBE,
            Past.payload(event),
            Past.NOON,
            new Stage.Archived(Past.NOON, record.partition(), record.offset())));
    operations.add(
        new Operation(
            "writer-1",
            Action.APPEND,
            event,
            event,
            0,
            Past.NOON,
            Past.NOON,
            outcome,
            "by the test"));
  }

  private void sample(int second, long next, long end) {
    samples.add(new Sample(Past.NOON.plusSeconds(second), 0, next, end));
  }

  private void disturbed(String party, int from, int until) {
    disturbances.add(
        new Disturbance(
            "SIGSTOP " + party,
            Set.of(party),
            Past.NOON.plusSeconds(from),
            Past.NOON.plusSeconds(until)));
  }

  private Run run() {
    return new Run(
        42, Past.NOON, Past.NOON, Duration.ofSeconds(3), operations, disturbances, samples);
  }

  private List<Kind> kinds() {
    return kinds(HistoryCheck.judge(past.history(), run()));
  }

  private static List<Kind> kinds(Verdict verdict) {
    return verdict.violations().stream().map(Violation::kind).toList();
  }
}
