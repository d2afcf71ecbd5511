package id.kabar.notification.deadletter;

import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.Letter;
import java.util.Base64;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Puts a letter's record back where it came from, and waits for the broker's word. */
@Component
class ReplayTopic {

  private final KafkaTemplate<byte[], byte[]> kafka;
  private final TopicSettings topics;
  private final DeadLetterSettings settings;
  private final JsonMapper json;

  ReplayTopic(
      KafkaTemplate<byte[], byte[]> kafka,
      TopicSettings topics,
      DeadLetterSettings settings,
      JsonMapper json) {
    this.kafka = kafka;
    this.topics = topics;
    this.settings = settings;
    this.json = json;
  }

  /**
   * @throws BrokerUnavailable if it does not confirm
   */
  void send(Letter letter, Letter.Content content) {
    // the key alone decides the partition, as it did for the relay
    var record =
        new ProducerRecord<byte[], byte[]>(
            topics.orderPaid(), null, content.key(), content.payload());
    for (JsonNode header : json.readTree(content.headers())) {
      record
          .headers()
          .add(
              header.get(0).stringValue(), Base64.getDecoder().decode(header.get(1).stringValue()));
    }
    DeadLetterHeaders.put(record.headers(), DeadLetterHeaders.REFERENCE, letter.reference());
    try {
      kafka.send(record).get(settings.publishTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new BrokerUnavailable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerUnavailable(e);
    }
  }
}
