package id.kabar.relay;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
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
  RelayWorkers relayWorkers(
      RelaySettings settings,
      JdbcConnectionDetails connection,
      DataSource dataSource,
      Producers producers,
      Topics topics,
      Watermarks watermarks,
      Neighbour broker,
      Neighbour database,
      RelayMetrics metrics) {
    Bell bell = new Bell();
    EventRecords records = new EventRecords(settings, topics::find, producers.compress());
    Worker.Sessions sessions = () -> Outbox.open(connection, settings.timeouts());
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
                      pauses());
                })
            .toList();
    Doorbell.Lines listening =
        () ->
            new DoorbellLine(
                DatabaseSession.open(connection, settings.timeouts(), "outbox-relay-doorbell"));
    List<Doorbell> doorbells =
        settings.doorbell().enabled()
            ? List.of(new Doorbell(listening, bell, pauses()))
            : List.of();
    return new RelayWorkers(
        workers,
        doorbells,
        duties(settings, dataSource, topics, watermarks, metrics),
        settings.timeouts().stop());
  }

  private static List<Duty> duties(
      RelaySettings settings,
      DataSource dataSource,
      Topics topics,
      Watermarks watermarks,
      RelayMetrics metrics) {
    Housekeeping housekeeping = new Housekeeping(dataSource, watermarks, metrics);
    RelaySettings.Archive archive = settings.archive();
    return List.of(
        new Duty("sample the watermark", WATERMARK_EVERY, housekeeping::sampleWatermark),
        new Duty("measure the outbox", settings.health().sample(), housekeeping::measure),
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
