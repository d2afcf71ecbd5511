package id.kabar.notification.deadletter;

import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.Letter;
import java.util.Base64;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.http.HttpStatus;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;
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

  /** Fails with a problem if the broker does not confirm; the record may be there all the same. */
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
      throw notConfirmed();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notConfirmed();
    }
  }

  private static ErrorResponseException notConfirmed() {
    return Problems.of(
        HttpStatus.SERVICE_UNAVAILABLE,
        "broker-unavailable",
        "The broker did not confirm the replay; what it confirmed before is on its way. Try again.");
  }
}
