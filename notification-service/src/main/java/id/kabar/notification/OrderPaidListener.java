package id.kabar.notification;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.stereotype.Component;

/** Receives paid orders; each is acknowledged once it and all before it are done with. */
@Component
class OrderPaidListener {

  static final String ID = "order-paid";

  private final RecordsInHand inHand;

  OrderPaidListener(RecordsInHand inHand) {
    this.inHand = inHand;
  }

  @KafkaListener(
      id = ID,
      clientIdPrefix = "notification-service-order-paid",
      topics = "${notification.topics.order-paid:order.paid}",
      groupId = "${notification.listener.group:notification-service}",
      concurrency = "${notification.listener.concurrency:3}",
      containerFactory = "orderPaidListeners")
  void on(
      ConsumerRecord<byte[], byte @Nullable []> record,
      Acknowledgment offset,
      Consumer<?, ?> consumer) {
    inHand.take(record, offset, consumer);
  }
}
