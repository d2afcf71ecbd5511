package id.kabar.relay;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;

/** Puts the relay together. */
@Configuration(proxyBeanMethods = false)
class RelayConfiguration {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration WATERMARK_EVERY = Duration.ofMillis(100);
  private static final Duration REPLAY_EVERY = Duration.ofMillis(500);
  private static final Duration ARCHIVE_EVERY = Duration.ofHours(1);

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  Neighbour broker(Clock clock) {
    return new Neighbour("Kafka", clock);
  }

  @Bean
  Neighbour database(Clock clock) {
    return new Neighbour("PostgreSQL", clock);
  }

  @Bean
  RelayMetrics relayMetrics(MeterRegistry meters, Clock clock) {
    return new RelayMetrics(meters, clock);
  }

  @Bean
  Watermarks watermarks() {
    return new Watermarks(System::nanoTime);
  }

  @Bean
  Producers producers(ProducerFactory<?, ?> producers, KafkaAdmin admin, RelaySettings settings) {
    TimeoutLadder.check(settings.timeouts());
    return new Producers(
        producers.getConfigurationProperties(),
        admin.getConfigurationProperties(),
        settings.timeouts());
  }

  @Bean
  Topics topics(RelaySettings settings, Producers producers, Neighbour broker) {
    return new Topics(settings, producers::openAdmin, broker);
  }

  @Bean
  ParkedEvents parkedEvents(JdbcConnectionDetails connection, RelaySettings settings) {
    return new ParkedEvents(connection, settings);
  }

  @Bean
  Housekeeping housekeeping(DataSource dataSource, Watermarks watermarks, RelayMetrics metrics) {
    return new Housekeeping(dataSource, watermarks, metrics);
  }

  @Bean
  RelayWorkers relayWorkers(
      RelaySettings settings,
      JdbcConnectionDetails connection,
      Housekeeping housekeeping,
      Producers producers,
      Topics topics,
      Watermarks watermarks,
      Neighbour broker,
      Neighbour database,
      RelayMetrics metrics) {
    Bell bell = new Bell();
    EventRecords records = new EventRecords(settings, topics::find, producers.compress());
    String relay = word();
    Worker.Sessions sessions = () -> Outbox.open(connection, settings.timeouts(), relay);
    Supplier<Duration> longestWait =
        () ->
            metrics.deaf() || !settings.doorbell().enabled()
                ? settings.poll().longestDeaf()
                : settings.poll().longest();
    List<Worker> workers =
        IntStream.range(0, settings.workers())
            .mapToObj(
                n -> {
                  Publisher publisher =
                      new Publisher(producers::open, records, settings.timeouts().round());
                  return new Worker(
                      sessions,
                      outbox ->
                          new OutboxRelay(outbox, publisher, watermarks, broker, metrics, settings),
                      publisher,
                      topics,
                      watermarks,
                      database,
                      bell,
                      metrics,
                      Backoff.exact(settings.poll().first(), settings.poll().longest()),
                      longestWait,
                      pauses());
                })
            .toList();
    Doorbell.Lines listening =
        () ->
            new DoorbellLine(
                DatabaseSession.open(connection, settings.timeouts(), "outbox-relay-doorbell"));
    List<Doorbell> doorbells =
        settings.doorbell().enabled()
            ? List.of(
                new Doorbell(
                    listening,
                    housekeeping::ring,
                    bell,
                    metrics,
                    settings.doorbell(),
                    pauses(),
                    RelayConfiguration::word,
                    System::nanoTime))
            : List.of();
    return new RelayWorkers(
        workers, doorbells, duties(settings, housekeeping, topics), settings.timeouts().stop());
  }

  private static String word() {
    return UUID.randomUUID().toString().substring(0, 8);
  }

  private static List<Duty> duties(
      RelaySettings settings, Housekeeping housekeeping, Topics topics) {
    RelaySettings.Archive archive = settings.archive();
    return List.of(
        new Duty("sample the watermark", WATERMARK_EVERY, housekeeping::sampleWatermark),
        new Duty("measure the outbox", settings.health().sample(), housekeeping::measure),
        new Duty("replay published events", REPLAY_EVERY, housekeeping::replay),
        new Duty("ask about the topics", settings.topics().refresh(), topics::refresh),
        new Duty(
            "extend the archive",
            ARCHIVE_EVERY,
            () -> housekeeping.extendArchive(archive.daysAhead())),
        new Duty(
            "prune the archive",
            ARCHIVE_EVERY,
            () -> housekeeping.pruneArchive((int) archive.retention().toDays())));
  }

  private static Backoff pauses() {
    return Backoff.jittered(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault());
  }
}
