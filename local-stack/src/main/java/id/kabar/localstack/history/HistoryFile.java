package id.kabar.localstack.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.history.History.Audit;
import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.History.Delivery;
import id.kabar.localstack.history.History.Order;
import id.kabar.localstack.history.History.OutboxEvent;
import id.kabar.localstack.history.History.Partition;
import id.kabar.localstack.history.History.ProcessedEvent;
import id.kabar.localstack.history.History.TopicRecord;
import id.kabar.localstack.history.Run.Disturbance;
import id.kabar.localstack.history.Run.Operation;
import id.kabar.localstack.history.Run.Sample;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run and its history as JSON Lines: the first line has the seed, each other line is one fact
 * under the name of its kind. Payloads, which hold addresses, are there as their SHA-256 only; the
 * judgement is the same.
 */
public final class HistoryFile {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int FORMAT = 1;

  private HistoryFile() {}

  /** What was read back. */
  public record Contents(Run run, History history) {}

  private record Head(
      int format,
      long seed,
      Instant begunAt,
      @Nullable Instant healedAt,
      @Nullable Duration settledAfter) {}

  private record Progress(String topic, int partition, long next) {}

  public static void write(Path file, Run run, History history) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (BufferedWriter out = Files.newBufferedWriter(file)) {
        Head head = new Head(FORMAT, run.seed(), run.begunAt(), run.healedAt(), run.settledAfter());
        writeAll(out, "run", Stream.of(head));
        writeAll(out, "operation", run.operations().stream());
        writeAll(out, "disturbance", run.disturbances().stream());
        writeAll(out, "sample", run.samples().stream());
        writeAll(out, "order", history.orders().stream());
        writeAll(out, "event", history.events().stream().map(HistoryFile::hashed));
        writeAll(out, "record", history.records().stream().map(HistoryFile::hashed));
        writeAll(
            out,
            "progress",
            history.progress().entrySet().stream()
                .map(it -> new Progress(it.getKey().topic(), it.getKey().number(), it.getValue())));
        writeAll(out, "processed", history.processed().stream());
        writeAll(out, "dead-letter", history.deadLetters().stream());
        writeAll(out, "delivery", history.inbox().stream());
        writeAll(out, "audit", history.audit().stream());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The history could not be written to " + file, e);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException naming the line that is no part of a history
   */
  public static Contents read(Path file) {
    Reading reading = new Reading();
    try (Stream<String> lines = Files.lines(file)) {
      int[] number = {0};
      lines.forEach(
          line -> {
            number[0]++;
            try {
              reading.add(line);
            } catch (JacksonException | IllegalArgumentException e) {
              throw new IllegalArgumentException(
                  "%s is no history: line %d: %s".formatted(file, number[0], e.getMessage()), e);
            }
          });
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The history %s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
    return reading.contents(file);
  }

  private static <T> void writeAll(BufferedWriter out, String kind, Stream<T> facts) {
    facts.forEach(
        fact -> {
          try {
            out.write(JSON.writeValueAsString(Map.of(kind, fact)));
            out.newLine();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static OutboxEvent hashed(OutboxEvent event) {
    return new OutboxEvent(
        event.id(),
        event.position(),
        event.aggregateId(),
        event.type(),
        hash(event.payload()),
        event.createdAt(),
        event.stage());
  }

  private static TopicRecord hashed(TopicRecord record) {
    return new TopicRecord(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.key(),
        record.headers(),
        hash(record.value()));
  }

  private static @Nullable String hash(@Nullable String value) {
    if (value == null) {
      return null;
    }
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(value.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Collects the facts of a file. */
  private static final class Reading {

    private @Nullable Head head;
    private final List<Operation> operations = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<Order> orders = new ArrayList<>();
    private final List<OutboxEvent> events = new ArrayList<>();
    private final List<TopicRecord> records = new ArrayList<>();
    private final Map<Partition, Long> progress = new HashMap<>();
    private final List<ProcessedEvent> processed = new ArrayList<>();
    private final List<DeadLetter> deadLetters = new ArrayList<>();
    private final List<Delivery> inbox = new ArrayList<>();
    private final List<Audit> audit = new ArrayList<>();

    void add(String line) {
      JsonNode json = JSON.readTree(line);
      if (!json.isObject() || json.size() != 1) {
        throw new IllegalArgumentException("not one fact under the name of its kind");
      }
      String kind = json.propertyNames().iterator().next();
      JsonNode fact = json.required(kind);
      switch (kind) {
        case "run" -> head = fact(fact, Head.class);
        case "operation" -> operations.add(fact(fact, Operation.class));
        case "disturbance" -> disturbances.add(fact(fact, Disturbance.class));
        case "sample" -> samples.add(fact(fact, Sample.class));
        case "order" -> orders.add(fact(fact, Order.class));
        case "event" -> events.add(fact(fact, OutboxEvent.class));
        case "record" -> records.add(fact(fact, TopicRecord.class));
        case "progress" -> {
          Progress it = fact(fact, Progress.class);
          progress.put(new Partition(it.topic(), it.partition()), it.next());
        }
        case "processed" -> processed.add(fact(fact, ProcessedEvent.class));
        case "dead-letter" -> deadLetters.add(fact(fact, DeadLetter.class));
        case "delivery" -> inbox.add(fact(fact, Delivery.class));
        case "audit" -> audit.add(fact(fact, Audit.class));
        default -> throw new IllegalArgumentException("nobody knows a '%s'".formatted(kind));
      }
    }

    Contents contents(Path file) {
      if (head == null || head.format() != FORMAT) {
        throw new IllegalArgumentException(
            "%s is no history: no line with the run and its seed, in format %d."
                .formatted(file, FORMAT));
      }
      return new Contents(
          new Run(
              head.seed(),
              head.begunAt(),
              head.healedAt(),
              head.settledAfter(),
              operations,
              disturbances,
              samples),
          new History(orders, events, records, progress, processed, deadLetters, inbox, audit));
    }

    private static <T> T fact(JsonNode json, Class<T> type) {
      return JSON.treeToValue(json, type);
    }
  }
}
