package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.notification.Delivery.Duplicate;
import id.kabar.notification.Delivery.FailedForGood;
import id.kabar.notification.Delivery.FailedForNow;
import id.kabar.notification.Delivery.NotNow;
import id.kabar.notification.Delivery.Sent;
import id.kabar.notification.deadletter.DeadLetterPublisher;
import id.kabar.notification.deadletter.DeadLetterReference;
import id.kabar.notification.deadletter.DeadLetterSettings;
import id.kabar.notification.deadletter.Failure;
import id.kabar.notification.email.Admission;
import id.kabar.notification.email.Admission.Pass;
import id.kabar.notification.email.Admission.Patience;
import id.kabar.notification.event.OrderPaid;
import id.kabar.notification.event.OrderPaidReader;
import id.kabar.notification.event.UnreadableRecord;
import id.kabar.notification.ledger.Cause;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;

/**
 * Sees one record through to its end: sent, known as sent, or published as a dead letter. One count
 * bounds its failed deliveries, whatever they failed of.
 */
@Component
class RecordDelivery {

  private static final Logger log = LoggerFactory.getLogger(RecordDelivery.class);

  /** Before looking again at what is not ours to do now: somebody else may be done any moment. */
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

  private final OrderPaidReader reader;
  private final EmailDelivery delivery;
  private final Admission admission;
  private final DeadLetterPublisher deadLetters;
  private final DeadLetterSettings deadLetterSettings;
  private final ListenerSettings settings;
  private final Clock clock;

  RecordDelivery(
      OrderPaidReader reader,
      EmailDelivery delivery,
      Admission admission,
      DeadLetterPublisher deadLetters,
      DeadLetterSettings deadLetterSettings,
      ListenerSettings settings,
      Clock clock) {
    this.reader = reader;
    this.delivery = delivery;
    this.admission = admission;
    this.deadLetters = deadLetters;
    this.deadLetterSettings = deadLetterSettings;
    this.settings = settings;
    this.clock = clock;
  }

  /** Returns whether the record is done with; else its window closed before it was. */
  boolean deliver(ConsumerRecord<byte[], byte @Nullable []> record, PartitionWindow window) {
    OrderPaid paid;
    try {
      paid = reader.read(text(record.headers().lastHeader("ce_type")), record.value());
    } catch (UnreadableRecord e) {
      return deadLetter(
          record, Failure.ofRecord(Cause.POISON, e.reason(), clock.instant()), window);
    }
    String letter = DeadLetterReference.of(record);
    int failed = 0;
    Patience patience = new Patience();
    while (window.open()) {
      switch (attempt(paid, letter, patience, window)) {
        case Sent sent -> {
          return true;
        }
        case Duplicate duplicate -> {
          return true;
        }
        case NotNow(Duration pause) -> window.pause(between(pause, settings.backoff()));
        case FailedForGood(Failure failure) -> {
          return deadLetter(record, failure, window);
        }
        case FailedForNow(Failure failure) -> {
          failed++;
          if (failed == settings.deliveries()) {
            return deadLetter(record, failure, window);
          }
          window.pause(settings.backoff());
        }
      }
    }
    return false;
  }

  private Delivery attempt(
      OrderPaid paid, @Nullable String letter, Patience patience, PartitionWindow window) {
    Pass pass = admission.enter(patience, window::open);
    boolean accepted = false;
    try {
      Delivery outcome =
          switch (pass) {
            case CALL -> deliver(paid, () -> inTurn(paid, letter, window));
            case GIVE_UP -> deliver(paid, () -> delivery.giveUp(paid));
            case GONE -> new NotNow(Duration.ZERO);
          };
      accepted = outcome instanceof Sent;
      return outcome;
    } finally {
      admission.leave(pass, accepted);
    }
  }

  private Delivery inTurn(OrderPaid paid, @Nullable String letter, PartitionWindow window) {
    Optional<Duration> turn = delivery.untilTurn();
    if (turn.isEmpty()) {
      return new NotNow(settings.backoff());
    }
    window.pause(turn.get());
    return window.open() ? delivery.deliver(paid, letter) : new NotNow(Duration.ZERO);
  }

  private Delivery deliver(OrderPaid paid, Supplier<Delivery> delivery) {
    try {
      return delivery.get();
    } catch (DataIntegrityViolationException e) {
      return unexpected(paid, e);
    } catch (DataAccessException e) {
      // our own database being away is nobody's failure: the record waits, no attempt is counted
      log.warn(
          "The database does not answer, event {} waits: {}",
          paid.eventId(),
          e.getClass().getSimpleName());
      return new NotNow(settings.backoff());
    } catch (RuntimeException e) {
      return unexpected(paid, e);
    }
  }

  private Delivery unexpected(OrderPaid paid, RuntimeException e) {
    log.error("Event {} failed unexpectedly", paid.eventId(), e);
    var now = clock.instant();
    return new FailedForNow(
        new Failure(
            Cause.UNEXPECTED,
            e.getClass().getSimpleName(),
            paid.eventId(),
            paid.orderId(),
            1,
            now,
            now));
  }

  /** Kept until the broker has it. */
  private boolean deadLetter(ConsumerRecord<?, ?> record, Failure failure, PartitionWindow window) {
    while (window.open()) {
      if (deadLetters.publish(record, failure)) {
        return true;
      }
      window.pause(deadLetterSettings.pause()); // a dead broker must make nobody spin
    }
    return false;
  }

  private static Duration between(Duration pause, Duration longest) {
    Duration atLeast = pause.compareTo(SHORTEST_PAUSE) > 0 ? pause : SHORTEST_PAUSE;
    return atLeast.compareTo(longest) < 0 ? atLeast : longest;
  }

  private static @Nullable String text(@Nullable Header header) {
    return header == null || header.value() == null ? null : new String(header.value(), UTF_8);
  }
}
