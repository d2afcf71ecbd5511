package id.kabar.relay;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import id.kabar.testservers.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;

/** A relay put together as the application does it, without the application. */
final class GivenRelay implements AutoCloseable {

  private final GivenOutbox outbox;
  private final RelaySettings settings;
  private final HikariDataSource pool;
  private final RelayConfiguration configuration = new RelayConfiguration();
  private final Producers producers;
  final Clock clock = Clock.systemUTC();
  final Neighbour broker = new Neighbour("Kafka", clock);
  final Neighbour database = new Neighbour("PostgreSQL", clock);
  final Watermarks watermarks = new Watermarks(System::nanoTime);
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final RelayMetrics metrics = new RelayMetrics(meters, clock);
  final Topics topics;
  private final RelayWorkers workers;

  GivenRelay(GivenOutbox outbox, RelaySettings settings) {
    this(outbox, settings, Map.of());
  }

  GivenRelay(GivenOutbox outbox, RelaySettings settings, Map<String, Object> kafka) {
    this.outbox = outbox;
    this.settings = settings;
    Map<String, Object> servers = new HashMap<>(kafka);
    servers.putIfAbsent("bootstrap.servers", TestKafka.shared().bootstrapServers());
    producers = new Producers(servers, servers, settings.timeouts());
    topics = new Topics(settings, producers::openAdmin, broker);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(outbox.relay().jdbcUrl());
    config.setUsername(outbox.relay().user());
    config.setPassword(outbox.relay().password());
    config.setMaximumPoolSize(3);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(3000);
    config.setInitializationFailTimeout(-1);
    pool = new HikariDataSource(config);
    workers =
        configuration.relayWorkers(
            settings,
            outbox.connectionDetails(),
            new Housekeeping(pool, watermarks, metrics),
            producers,
            topics,
            watermarks,
            broker,
            database,
            metrics);
  }

  GivenRelay start() {
    workers.start();
    return this;
  }

  /** Gracefully, as the application is stopped. */
  void stop() {
    workers.stop();
  }

  RelaySettings settings() {
    return settings;
  }

  Producer<byte[], byte[]> producer() {
    return producers.open();
  }

  EventRecords records() {
    topics.refresh();
    return new EventRecords(settings, topics::find, producers.compress());
  }

  Publisher publisher() {
    return new Publisher(producers::open, records(), settings.timeouts().round());
  }

  OutboxRelay relay(Outbox session, Publisher publisher) {
    return new OutboxRelay(session, publisher, watermarks, broker, metrics, settings);
  }

  /** Rounds by hand, until one finds nothing; returns how many there were. */
  int relayUntilIdle() throws SQLException {
    try (Outbox session = outbox.session();
        Publisher publisher = publisher()) {
      OutboxRelay relay = relay(session, publisher);
      int rounds = 0;
      while (relay.relayOnce() != Pace.IDLE) {
        rounds++;
        if (rounds > 10_000) {
          throw new IllegalStateException("still not idle after 10,000 rounds");
        }
      }
      return rounds;
    }
  }

  @Override
  public void close() {
    workers.stop();
    topics.close();
    pool.close();
  }
}
