package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.notification.Delivery.Duplicate;
import id.kabar.notification.Delivery.FailedForGood;
import id.kabar.notification.Delivery.FailedForNow;
import id.kabar.notification.Delivery.NotNow;
import id.kabar.notification.Delivery.Sent;
import id.kabar.notification.deadletter.DeadLetterReference;
import id.kabar.notification.deadletter.Failure;
import id.kabar.notification.deadletter.Undelivered;
import id.kabar.notification.event.OrderPaid;
import id.kabar.notification.event.OrderPaidReader;
import id.kabar.notification.event.UnreadableRecord;
import id.kabar.notification.ledger.Cause;
import java.time.Clock;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.stereotype.Component;

/**
 * Receives paid orders. The offset is committed once the email is known to be sent; everything else
 * comes again, or is dead-lettered by what is thrown here.
 */
@Component
class OrderPaidListener {

  private static final Logger log = LoggerFactory.getLogger(OrderPaidListener.class);

  private final OrderPaidReader reader;
  private final EmailDelivery delivery;
  private final ListenerSettings settings;
  private final ListenerProgress progress;
  private final Clock clock;

  OrderPaidListener(
      OrderPaidReader reader,
      EmailDelivery delivery,
      ListenerSettings settings,
      ListenerProgress progress,
      Clock clock) {
    this.reader = reader;
    this.delivery = delivery;
    this.settings = settings;
    this.progress = progress;
    this.clock = clock;
  }

  @KafkaListener(
      id = "order-paid",
      clientIdPrefix = "notification-service-order-paid",
      topics = "${notification.topics.order-paid:order.paid}",
      groupId = "${notification.listener.group:notification-service}",
      concurrency = "${notification.listener.concurrency:3}",
      containerFactory = "orderPaidListeners")
  void on(ConsumerRecord<byte[], byte @Nullable []> record, Acknowledgment offset) {
    OrderPaid paid = read(record);
    switch (deliver(paid, record)) {
      case Sent sent -> finished(record, offset);
      case Duplicate duplicate -> finished(record, offset);
      case NotNow(Duration pause) -> offset.nack(atMostTheBackoff(pause));
      case FailedForNow(Failure failure) -> throw new Undelivered.ForNow(failure);
      case FailedForGood(Failure failure) -> throw new Undelivered.ForGood(failure);
    }
  }

  private OrderPaid read(ConsumerRecord<byte[], byte @Nullable []> record) {
    try {
      return reader.read(text(record.headers().lastHeader("ce_type")), record.value());
    } catch (UnreadableRecord e) {
      throw new Undelivered.ForGood(Failure.ofRecord(Cause.POISON, e.reason(), clock.instant()));
    }
  }

  /** Our own database being away is nobody's failure: the record waits, no attempt is counted. */
  private Delivery deliver(OrderPaid paid, ConsumerRecord<?, ?> record) {
    try {
      return delivery.deliver(paid, DeadLetterReference.of(record));
    } catch (DataIntegrityViolationException e) {
      throw unexpected(paid, e);
    } catch (DataAccessException e) {
      log.warn(
          "The database does not answer, event {} waits: {}",
          paid.eventId(),
          e.getClass().getSimpleName());
      return new NotNow(settings.backoff());
    } catch (RuntimeException e) {
      throw unexpected(paid, e);
    }
  }

  private Undelivered unexpected(OrderPaid paid, RuntimeException e) {
    log.error("Event {} failed unexpectedly", paid.eventId(), e);
    var now = clock.instant();
    return new Undelivered.ForNow(
        new Failure(
            Cause.UNEXPECTED,
            e.getClass().getSimpleName(),
            paid.eventId(),
            paid.orderId(),
            1,
            now,
            now),
        e);
  }

  /**
   * The ledger knows already: a commit that fails only means that the record is skipped next time.
   */
  private void finished(ConsumerRecord<?, ?> record, Acknowledgment offset) {
    try {
      offset.acknowledge();
    } catch (KafkaException e) {
      log.warn(
          "Offset {} of {}-{} is not committed: {}",
          record.offset(),
          record.topic(),
          record.partition(),
          e.getClass().getSimpleName());
    }
    progress.finished(record);
  }

  private Duration atMostTheBackoff(Duration pause) {
    return pause.compareTo(settings.backoff()) < 0 ? pause : settings.backoff();
  }

  private static @Nullable String text(@Nullable Header header) {
    return header == null || header.value() == null ? null : new String(header.value(), UTF_8);
  }
}
