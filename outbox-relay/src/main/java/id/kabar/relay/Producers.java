package id.kabar.relay;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Opens producers and admins: the application's Kafka settings, and what the relay relies on. */
final class Producers {

  private static final int BATCH_BYTES = 256 * 1024;

  private final Map<String, Object> producer;
  private final Map<String, Object> admin;

  /**
   * @param settings the application's, for addresses, encryption, compression and the like
   */
  Producers(
      Map<String, Object> settings,
      Map<String, Object> adminSettings,
      RelaySettings.Timeouts timeouts) {
    producer = new HashMap<>(settings);
    producer.put(ProducerConfig.ACKS_CONFIG, "all");
    producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    producer.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
    // Nothing is sent behind a record whose fate is open, see Publisher. A round waits for all its
    // confirmations anyway, and what gathers meanwhile goes as one request.
    producer.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis(timeouts.maxBlock()));
    producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) millis(timeouts.delivery()));
    producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) millis(timeouts.delivery()) / 2);
    producer.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
    producer.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    producer.putIfAbsent(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1000);
    admin = new HashMap<>(adminSettings);
    int patience = (int) millis(Topics.PATIENCE);
    admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patience);
    admin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, patience);
    admin.putIfAbsent(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1000);
  }

  Producer<byte[], byte[]> open() {
    return new KafkaProducer<>(producer, new ByteArraySerializer(), new ByteArraySerializer());
  }

  Admin openAdmin() {
    return Admin.create(admin);
  }

  boolean compress() {
    Object type = producer.getOrDefault(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
    return !CompressionType.NONE.name.equals(type.toString());
  }

  private static long millis(Duration length) {
    return length.toMillis();
  }
}
