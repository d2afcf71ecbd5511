package id.kabar.localstack.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.history.Excerpt;
import id.kabar.localstack.history.History;
import id.kabar.localstack.history.History.TopicRecord;
import id.kabar.localstack.history.Topics;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.site.Site;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "plant",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Writes into order.paid what no relay writes in a calm hour.",
    subcommands = {Plant.Repeats.class, Plant.Poison.class})
final class Plant {

  @ParentCommand private Kabar kabar = new Kabar();

  abstract static class IntoTopic implements Callable<Integer> {

    private static final int PATIENCE_SECONDS = 60;

    @ParentCommand private Plant plant = new Plant();

    @Mixin private On on = new On();

    abstract List<ProducerRecord<byte[], byte[]>> records(String kafka);

    abstract String told(int count);

    @Override
    public final Integer call() {
      try (Site site = plant.kabar.site(on)) {
        String kafka = site.sources().kafka();
        List<ProducerRecord<byte[], byte[]>> records = records(kafka);
        write(kafka, records);
        plant.kabar.terminal().say(told(records.size()));
      }
      return 0;
    }

    private static void write(String kafka, List<ProducerRecord<byte[], byte[]>> records) {
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", kafka),
              new ByteArraySerializer(),
              new ByteArraySerializer())) {
        List<Future<RecordMetadata>> written = records.stream().map(producer::send).toList();
        for (Future<RecordMetadata> each : written) {
          each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
      } catch (ExecutionException | TimeoutException e) {
        throw new ServerFailed("Kafka did not take the records: " + e, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ServerFailed("interrupted", e);
      }
    }

    static byte @Nullable [] bytes(@Nullable String text) {
      return text == null ? null : text.getBytes(UTF_8);
    }
  }

  @Command(
      name = "repeats",
      mixinStandardHelpOptions = true,
      description = "Every record once more, as a relay does that missed the broker's answer.")
  static final class Repeats extends IntoTopic {

    @Option(
        names = "--since",
        paramLabel = "TIME",
        required = true,
        description = "Those written since then (2026-11-30T12:00:00Z).")
    private Instant since = Instant.MAX;

    @Override
    List<ProducerRecord<byte[], byte[]>> records(String kafka) {
      try (Topics topics = new Topics(kafka)) {
        return topics.records().stream()
            .filter(record -> record.topic().equals(History.TOPIC))
            .filter(record -> !record.timestamp().isBefore(since))
            .map(Repeats::again)
            .toList();
      }
    }

    private static ProducerRecord<byte[], byte[]> again(TopicRecord record) {
      var again =
          new ProducerRecord<>(
              record.topic(), record.partition(), bytes(record.key()), bytes(record.value()));
      record.headers().forEach((name, value) -> again.headers().add(name, bytes(value)));
      return again;
    }

    @Override
    String told(int count) {
      return "%d records are in the topic once more.".formatted(count);
    }
  }

  @Command(
      name = "poison",
      mixinStandardHelpOptions = true,
      description = {
        "Records that nobody can read: not JSON, empty, a field missing, of an unknown type.",
        "A header marks them, and `kabar check` takes them for no ghosts."
      })
  static final class Poison extends IntoTopic {

    private static final String TYPE = "id.kabar.OrderPaid.v1";

    private static final List<Function<UUID, ProducerRecord<byte[], byte[]>>> KINDS =
        List.of(
            event -> poison(event, TYPE, "this is no JSON"),
            event -> poison(event, TYPE, ""),
            event -> poison(event, TYPE, "{\"eventId\":\"%s\"}".formatted(event)),
            event -> poison(event, "id.kabar.OrderPaid.v99", "{}"));

    @Option(
        names = "--records",
        paramLabel = "N",
        defaultValue = "4",
        description = "How many (${DEFAULT-VALUE}: one of each kind).")
    private int count;

    @Override
    List<ProducerRecord<byte[], byte[]>> records(String kafka) {
      List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        records.add(KINDS.get(i % KINDS.size()).apply(UUID.randomUUID()));
      }
      return records;
    }

    private static ProducerRecord<byte[], byte[]> poison(UUID event, String type, String value) {
      var record =
          new ProducerRecord<>(History.TOPIC, bytes(UUID.randomUUID().toString()), bytes(value));
      record
          .headers()
          .add("ce_id", bytes(event.toString()))
          .add("ce_type", bytes(type))
          .add(Excerpt.PLANTED, bytes("poison"));
      return record;
    }

    @Override
    String told(int count) {
      return "%d unreadable records are in the topic.".formatted(count);
    }
  }
}
