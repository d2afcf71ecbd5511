package id.kabar.localstack.history;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.History.Delivery;
import id.kabar.localstack.history.History.OutboxEvent;
import id.kabar.localstack.history.History.Partition;
import id.kabar.localstack.history.History.ProcessedEvent;
import id.kabar.localstack.history.History.Stage;
import id.kabar.localstack.history.History.TopicRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HistoryCheckTest {

  private static final Map<String, String> CAUSE = Map.of(History.CAUSE, "400 from the provider");

  @Nested
  class IsContentWith {

    @Test
    void nothingAtAll() {
      assertThat(Past.of().judge().isSettled()).isTrue();
    }

    @Test
    void ordersPaidPublishedAndMailed() {
      Past past = Past.of("a", "b");
      past.pending("c");

      Verdict verdict = past.judge();

      assertThat(verdict.violations()).isEmpty();
      assertThat(verdict.isSettled()).isTrue();
      assertThat(verdict.figures()).isEqualTo(new Figures(3, 2, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0));
    }

    @Test
    void anEventDeliveredAgainAndMailedOnce() {
      Past past = Past.of("a", "b");
      past.publish("a", "event-a");
      past.inbox.replaceAll(it -> new Delivery(it.key(), 1, 2));

      Verdict verdict = past.judge();

      assertThat(verdict.violations()).isEmpty();
      assertThat(verdict.figures().repeats()).isEqualTo(1);
      assertThat(verdict.figures().repeatedCalls()).isEqualTo(4);
    }

    @Test
    void anEventStillInTheOutboxButNotSettled() {
      Past past = Past.of("a");
      past.paid("b");
      past.append("b", "event-b", new Stage.Pending(0));

      Verdict verdict = past.judge();

      assertThat(verdict.violations()).isEmpty();
      assertThat(verdict.isSettled()).isFalse();
      assertThat(verdict.figures().pending()).isEqualTo(1);
    }

    @Test
    void aParkedEvent() {
      Past past = Past.of("a");
      past.paid("b");
      past.append("b", "event-b", new Stage.Parked(5, "too large"));

      assertThat(past.judge().violations()).isEmpty();
      assertThat(past.judge().figures().parked()).isEqualTo(1);
    }

    @Test
    void aRecordTheConsumersHaveNotReached() {
      Past past = Past.of("a", "b");
      past.neverMailed("event-b");
      past.consumersAreAt(1);

      Verdict verdict = past.judge();

      assertThat(verdict.violations()).isEmpty();
      assertThat(verdict.figures().pending()).isEqualTo(1);
    }

    @Test
    void anEmailUnderWayWhoseRecordIsNotFinished() {
      Past past = Past.of("a");
      past.processed.replaceAll(it -> new ProcessedEvent(it.eventId(), "SENDING", null));
      past.consumersAreAt(0);

      assertThat(past.judge().violations()).isEmpty();
      assertThat(past.judge().figures().sending()).isEqualTo(1);
    }

    @Test
    void anOpenDeadLetterInsteadOfAnEmail() {
      Past past = Past.of("a", "b");
      past.neverMailed("event-b");
      past.deadLetter("b", "event-b", CAUSE);
      past.deadLetters.add(new DeadLetter("event-b", "OPEN", "400", Past.NOON));

      Verdict verdict = past.judge();

      assertThat(verdict.violations()).isEmpty();
      assertThat(verdict.isSettled()).isTrue();
      assertThat(verdict.figures().deadLettered()).isEqualTo(1);
    }

    @Test
    void anEmailWhoseAnswerWasLostSoThatItIsADeadLetterToo() {
      Past past = Past.of("a");
      past.processed.clear();
      past.deadLetter("a", "event-a", CAUSE);
      past.deadLetters.add(new DeadLetter("event-a", "OPEN", "time-out", Past.NOON));

      assertThat(past.judge().violations()).isEmpty();
    }

    @Test
    void aPayloadTheArchiveHasForgotten() {
      Past past = Past.of("a");
      past.events.replaceAll(it -> with(it, it.aggregateId(), it.position(), null));

      assertThat(past.judge().violations()).isEmpty();
    }
  }

  @Nested
  class Catches {

    @Test
    void aPaymentWithoutAnEvent() {
      Past past = Past.of("a");
      past.paid("b");

      assertThat(kinds(past)).containsExactly(Kind.LOST);
    }

    @Test
    void anEventSettledThatIsNotInTheTopic() {
      Past past = Past.of("a", "b");
      past.records.removeIf(it -> "b".equals(it.key()));

      assertThat(kinds(past)).containsExactly(Kind.LOST);
    }

    @Test
    void twoEventsOfOnePayment() {
      Past past = Past.of("a");
      past.settled("a", "event-a2");
      past.mailed("event-a2");

      assertThat(kinds(past)).containsExactly(Kind.SEVERAL_EVENTS);
    }

    @Test
    void aRecordWhosePaymentWasRolledBack() {
      Past past = Past.of("a");
      past.publish("b", "event-b");

      assertThat(kinds(past)).containsExactly(Kind.GHOST);
    }

    @Test
    void anEventOfAnOrderThatIsNotPaid() {
      Past past = Past.of("a");
      past.pending("b");
      past.append("b", "event-b", new Stage.Pending(0));

      assertThat(kinds(past)).containsExactly(Kind.GHOST);
    }

    @Test
    void anEmailNobodyHasPaidFor() {
      Past past = Past.of("a");
      past.inbox.add(new Delivery("event-b", 1, 0));

      assertThat(kinds(past)).containsExactly(Kind.GHOST);
    }

    @Test
    void aRecordWithoutAnEventId() {
      Past past = Past.of("a");
      past.records.add(
          new TopicRecord(History.TOPIC, 1, 0, Past.NOON, "a", Map.of(), Past.payload("event-a")));

      assertThat(kinds(past)).containsExactly(Kind.GHOST);
    }

    @Test
    void aPayloadThatChangedOnItsWay() {
      Past past = Past.of("a", "b");
      past.events.replaceAll(it -> with(it, it.aggregateId(), it.position(), it.payload() + " "));

      assertThat(kinds(past)).containsExactly(Kind.ALTERED, Kind.ALTERED);
    }

    @Test
    void anArchiveThatNamesAForeignAddress() {
      Past past = Past.of("a");
      past.records.replaceAll(it -> at(it, it.topic(), 5, it.key()));

      assertThat(kinds(past)).containsExactly(Kind.ALTERED);
    }

    @Test
    void aRecordUnderAForeignKey() {
      Past past = Past.of("a");
      past.records.replaceAll(it -> at(it, it.topic(), it.offset(), "b"));

      assertThat(kinds(past)).containsExactly(Kind.MISROUTED);
    }

    @Test
    void aRecordWithoutAKey() {
      Past past = Past.of("a");
      past.records.replaceAll(it -> at(it, it.topic(), it.offset(), null));

      assertThat(kinds(past)).containsExactly(Kind.MISROUTED);
    }

    @Test
    void aRecordInAForeignTopic() {
      Past past = Past.of("a");
      past.publish("order.cancelled", "a", "event-a", Map.of());

      assertThat(kinds(past)).containsExactly(Kind.MISROUTED);
    }

    @Test
    void anEventThatOvertookAnEarlierOneOfItsOrder() {
      Past past = Past.of("a");
      past.settled("a", "event-a2");
      past.mailed("event-a2");
      past.events.replaceAll(it -> with(it, it.aggregateId(), -it.position(), it.payload()));

      assertThat(kinds(past)).containsExactly(Kind.SEVERAL_EVENTS, Kind.OUT_OF_ORDER);
    }

    @Test
    void anOrderSpreadOverPartitions() {
      Past past = Past.of("a");
      past.append("a", "event-a2", new Stage.Archived(Past.NOON, 1, 0));
      past.records.add(
          new TopicRecord(
              History.TOPIC,
              1,
              0,
              Past.NOON,
              "a",
              Map.of("ce_id", "event-a2"),
              Past.payload("event-a2")));
      past.mailed("event-a2");

      assertThat(kinds(past)).containsExactly(Kind.SEVERAL_EVENTS, Kind.OUT_OF_ORDER);
    }

    @Test
    void aSecondEmail() {
      Past past = Past.of("a", "b");
      past.inbox.replaceAll(it -> it.key().equals("event-b") ? new Delivery("event-b", 2, 0) : it);

      assertThat(kinds(past)).containsExactly(Kind.MAILED_TWICE);
    }

    @Test
    void aSecondEmailInAnotherLifeOfTheProvider() {
      Past past = Past.of("a");
      past.inbox.add(new Delivery("event-a", 1, 0));

      assertThat(kinds(past)).containsExactly(Kind.MAILED_TWICE);
    }

    @Test
    void aRecordTheConsumersPassedOverWithoutATrace() {
      Past past = Past.of("a", "b");
      past.neverMailed("event-b");

      assertThat(kinds(past)).containsExactly(Kind.VANISHED);
    }

    @Test
    void anEventHeldForSentThatTheProviderDoesNotKnow() {
      Past past = Past.of("a");
      past.inbox.clear();

      assertThat(kinds(past)).containsExactly(Kind.VANISHED);
    }

    @Test
    void aDeadLetterThatNeverReachedItsList() {
      Past past = Past.of("a", "b");
      past.neverMailed("event-b");
      past.deadLetter("b", "event-b", CAUSE);

      assertThat(kinds(past)).containsExactly(Kind.VANISHED);
    }

    @Test
    void aReplayThatCameToNothing() {
      Past past = Past.of("a", "b");
      past.neverMailed("event-b");
      past.deadLetter("b", "event-b", CAUSE);
      past.deadLetters.add(new DeadLetter("event-b", "REPLAYED", "400", Past.NOON));

      assertThat(kinds(past)).containsExactly(Kind.VANISHED);
    }

    @Test
    void anEmailUnderWayThatNobodyWillFinish() {
      Past past = Past.of("a");
      past.processed.replaceAll(it -> new ProcessedEvent(it.eventId(), "SENDING", null));

      assertThat(kinds(past)).containsExactly(Kind.UNFINISHED);
    }

    @Test
    void aDeadLetterWithoutACause() {
      Past past = Past.of("a", "b");
      past.neverMailed("event-b");
      past.deadLetter("b", "event-b", Map.of());
      past.deadLetters.add(new DeadLetter("event-b", "OPEN", " ", Past.NOON));

      assertThat(kinds(past)).containsExactly(Kind.NO_CAUSE, Kind.NO_CAUSE);
    }
  }

  @Test
  void recordsBeforeTheCommittedOffsetAloneCountAsRead() {
    Past past = Past.of("a");
    past.neverMailed("event-a");
    past.progress.clear();
    past.progress.put(new Partition(History.TOPIC, 1), 7L);

    assertThat(past.judge().figures().pending()).isEqualTo(1);
  }

  @Test
  void verdictTellsTheSmallestStoryOfEachKindAndNoAddress() {
    Past past = Past.of("a", "b");
    past.publish("a", "event-a");
    past.inbox.replaceAll(it -> new Delivery(it.key(), 2, 0));

    assertThat(past.judge())
        .hasToString(
            """
            History check: 2 violations
              2 orders, 2 paid: 2 mailed, 0 dead-lettered, 0 pending (0 parked), 0 vanished
              3 records in the topic, 1 of them repeats; 0 dead letters; 0 unfinished; 0 repeated calls to the provider
              MAILED_TWICE (K-3) × 2: the provider accepted more than one email for a payment
                for instance event-b: the provider accepted 2 emails
                  12:00:00.000  orders           created
                  12:00:00.010  orders           PAID
                  12:00:00.010  outbox_event     OrderPaid event-b, position 1
                  12:00:00.020  topic            order.paid-0@1, key b, event event-b
                  12:00:00.030  outbox_archive   settled as partition 0, offset 1
                  12:00:00.060  processed_event  SENT
                                provider         accepted 2, repeated 0
            """);
  }

  private static List<Kind> kinds(Past past) {
    return past.judge().violations().stream().map(Violation::kind).toList();
  }

  private static OutboxEvent with(
      OutboxEvent it, String aggregateId, long position, String payload) {
    return new OutboxEvent(
        it.id(), position, aggregateId, it.type(), payload, it.createdAt(), it.stage());
  }

  private static TopicRecord at(TopicRecord it, String topic, long offset, String key) {
    return new TopicRecord(
        topic, it.partition(), offset, it.timestamp(), key, it.headers(), it.value());
  }
}
