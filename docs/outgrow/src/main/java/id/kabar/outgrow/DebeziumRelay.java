package id.kabar.outgrow;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.apache.kafka.connect.storage.StringConverter;

/**
 * Runs a connector's configuration without Kafka Connect: Debezium's engine inside, a producer
 * behind it, and the converters between that connector.json names. For the test that compares it
 * with the relay, and for the benchmarks; in production, use Connect.
 */
public final class DebeziumRelay implements AutoCloseable {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:(\\w+)}");

  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final Producer<byte[], byte[]> producer;
  private final Converter keys = new StringConverter();
  private final Converter values = new StringConverter();
  private final HeaderConverter headers = new SimpleHeaderConverter();

  /**
   * @param settings the connector's
   * @param producer settings of the producer, its servers at least
   * @param started called once it reads the log of changes
   */
  public DebeziumRelay(Properties settings, Map<String, Object> producer, Runnable started) {
    keys.configure(Map.of(), true);
    values.configure(Map.of(), false);
    this.producer =
        new KafkaProducer<>(producer, new ByteArraySerializer(), new ByteArraySerializer());
    engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(settings)
            .using(
                new DebeziumEngine.ConnectorCallback() {
                  @Override
                  public void pollingStarted() {
                    started.run();
                  }
                })
            .using(
                (success, message, error) -> {
                  if (!success) {
                    System.err.println("Debezium ended: " + message);
                  }
                })
            .notifying(this::publish)
            .build();
  }

  /** Returns when the engine ends. */
  public void run() {
    engine.run();
  }

  private void publish(
      List<RecordChangeEvent<SourceRecord>> batch,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>(batch.size());
    for (RecordChangeEvent<SourceRecord> each : batch) {
      SourceRecord record = each.record();
      if (record.value() != null) {
        sent.add(producer.send(converted(record)));
      }
    }
    try {
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka has refused a record", e.getCause());
    }
    for (RecordChangeEvent<SourceRecord> each : batch) {
      committer.markProcessed(each);
    }
    committer.markBatchFinished();
  }

  private ProducerRecord<byte[], byte[]> converted(SourceRecord record) {
    RecordHeaders converted = new RecordHeaders();
    for (Header header : record.headers()) {
      converted.add(
          header.key(),
          headers.fromConnectHeader(record.topic(), header.key(), header.schema(), header.value()));
    }
    return new ProducerRecord<>(
        record.topic(),
        null,
        null,
        keys.fromConnectData(record.topic(), record.keySchema(), record.key()),
        values.fromConnectData(record.topic(), record.valueSchema(), record.value()),
        converted);
  }

  @Override
  public void close() throws IOException {
    engine.close();
    producer.close();
  }

  /** With a file of properties, in which <code>${env:NAME}</code> stands for a variable. */
  public static void main(String[] args) throws IOException {
    Properties settings = new Properties();
    try (Reader file = Files.newBufferedReader(Path.of(args[0]))) {
      settings.load(file);
    }
    settings.replaceAll((_, value) -> resolved(value.toString()));
    Map<String, Object> producer = new HashMap<>();
    for (String name : settings.stringPropertyNames()) {
      if (name.startsWith("producer.")) {
        producer.put(name.substring("producer.".length()), settings.getProperty(name));
        settings.remove(name);
      }
    }
    try (DebeziumRelay relay =
        new DebeziumRelay(settings, producer, () -> System.out.println("Debezium streams"))) {
      relay.run();
    }
  }

  private static String resolved(String value) {
    return VARIABLE
        .matcher(value)
        .replaceAll(
            match -> {
              String variable = System.getenv(match.group(1));
              if (variable == null) {
                throw new IllegalArgumentException(match.group(1) + " is not set");
              }
              return Matcher.quoteReplacement(variable);
            });
  }
}
