package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Servers;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a topic holds of the events that were written: read once all is over. */
final class Delivery {

  private final Shape shape;
  private final long[] appended;
  private final int[] lastOfKey;
  private int repeats;
  private int inversions;
  private int strangers;

  /**
   * @param events how many were written, from 0
   */
  Delivery(Shape shape, int events) {
    this.shape = shape;
    this.appended = new long[events];
    this.lastOfKey = new int[shape.keys()];
    Arrays.fill(lastOfKey, -1);
  }

  static Delivery read(Servers servers, String topic, Shape shape, int events) {
    Delivery delivery = new Delivery(shape, events);
    List<TopicPartition> partitions =
        IntStream.range(0, Servers.PARTITIONS).mapToObj(n -> new TopicPartition(topic, n)).toList();
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers.bootstrapServers());
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 8 * 1024 * 1024);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer.seekToBeginning(partitions);
      while (!partitions.stream().allMatch(p -> consumer.position(p) >= ends.getOrDefault(p, 0L))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          delivery.add(Shape.eventOf(record.value()), record.timestamp());
        }
      }
    }
    return delivery;
  }

  /**
   * The next record of a partition; all events of a key are in one.
   *
   * @param time at which the broker appended it, in ms
   */
  void add(int event, long time) {
    if (event < 0 || event >= appended.length) {
      strangers++;
      return;
    }
    if (appended[event] != 0) {
      repeats++;
      return;
    }
    appended[event] = time;
    int key = shape.keyOf(event);
    if (event < lastOfKey[key]) {
      inversions++;
    }
    lastOfKey[key] = Math.max(lastOfKey[key], event);
  }

  /** When the broker first appended the event, in ms since 1970; 0 for never. */
  long appended(int event) {
    return appended[event];
  }

  long lastAppended() {
    return Arrays.stream(appended).max().orElse(0);
  }

  int lost() {
    return (int) Arrays.stream(appended).filter(time -> time == 0).count();
  }

  /** Records of an event that had been there before. */
  int repeats() {
    return repeats;
  }

  /** Events that came, for the first time, after a later one of their key. */
  int inversions() {
    return inversions;
  }

  /** Records that nobody has written. */
  int strangers() {
    return strangers;
  }
}
