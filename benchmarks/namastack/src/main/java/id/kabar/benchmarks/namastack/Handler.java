package id.kabar.benchmarks.namastack;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends a record and returns when Kafka has confirmed it: a return is what completes it. */
public class Handler implements OutboxTypedHandler<String> {

  private final Producer<String, byte[]> producer;
  private final String topic;

  Handler(Producer<String, byte[]> producer, String topic) {
    this.producer = producer;
    this.topic = topic;
  }

  @Override
  public void handle(String payload, OutboxRecordMetadata metadata) {
    try {
      producer.send(new ProducerRecord<>(topic, metadata.getKey(), payload.getBytes(UTF_8))).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
