package id.kabar.orders.outbox;

import id.kabar.orders.outbox.OutboxSettings.DoorbellSettings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.stereotype.Component;

/**
 * Tells the relays that something was committed, at most once per pause and without any promise: a
 * ring that is lost costs them one wait of their poll, nothing else.
 *
 * <p>Rung after the commit and on a connection of its own, because NOTIFY takes a lock of the whole
 * cluster until its transaction ends: inside the payments' transactions it makes their commits wait
 * for each other.
 */
@Component
class Doorbell {

  private static final Logger log = LoggerFactory.getLogger(Doorbell.class);

  private final JdbcConnectionDetails database;
  private final DoorbellSettings settings;
  private final Counter rings;
  private final Counter losses;

  // One place: however many payments ring while the bell is busy, they are one ring.
  private final BlockingQueue<Boolean> rung = new ArrayBlockingQueue<>(1);
  private final Thread ringer =
      Thread.ofPlatform().daemon().name("doorbell").unstarted(this::ringUntilClosed);

  // The ringer's own.
  private @Nullable Connection connection;
  private boolean inOrder = true;

  Doorbell(JdbcConnectionDetails database, OutboxSettings settings, MeterRegistry metrics) {
    this.database = database;
    this.settings = settings.doorbell();
    this.rings = metrics.counter("outbox.doorbell.rings");
    this.losses = metrics.counter("outbox.doorbell.losses");
  }

  /** Returns at once, whatever the state of the bell. */
  void ring() {
    rung.offer(true); // no place left: somebody rang, and the bell has not moved yet
  }

  @PostConstruct
  void open() {
    if (settings.enabled()) {
      ringer.start();
    }
  }

  @PreDestroy
  void close() throws InterruptedException {
    if (settings.enabled()) {
      ringer.interrupt();
      ringer.join(Duration.ofSeconds(2));
    }
  }

  private void ringUntilClosed() {
    Duration wait = settings.pause();
    try {
      while (true) {
        rung.take();
        boolean heard = send();
        wait = heard ? settings.pause() : longer(wait);
        Thread.sleep(wait);
      }
    } catch (InterruptedException closed) {
      disconnect();
    }
  }

  private Duration longer(Duration wait) {
    Duration doubled = wait.multipliedBy(2);
    if (doubled.compareTo(settings.firstRetry()) < 0) {
      return settings.firstRetry();
    }
    return doubled.compareTo(settings.lastRetry()) < 0 ? doubled : settings.lastRetry();
  }

  private boolean send() {
    try (Statement statement = connected().createStatement()) {
      statement.execute(OutboxSql.RING);
      rings.increment();
      if (!inOrder) {
        log.info("The doorbell rings again");
      }
      inOrder = true;
      return true;
    } catch (SQLException | RuntimeException lost) {
      if (inOrder) {
        log.warn(
            "The doorbell's connection is lost, the relays poll meanwhile: {}", lost.getMessage());
      }
      inOrder = false;
      losses.increment();
      disconnect();
      return false;
    }
  }

  private Connection connected() throws SQLException {
    Connection open = connection;
    if (open == null) {
      Properties properties = new Properties();
      properties.setProperty("user", String.valueOf(database.getUsername()));
      properties.setProperty("password", String.valueOf(database.getPassword()));
      properties.setProperty("ApplicationName", "order-service doorbell");
      properties.setProperty("connectTimeout", "2");
      properties.setProperty("loginTimeout", "2");
      properties.setProperty("socketTimeout", "2");
      open = DriverManager.getConnection(database.getJdbcUrl(), properties);
      connection = open;
    }
    return open;
  }

  private void disconnect() {
    Connection old = connection;
    connection = null;
    if (old != null) {
      try {
        old.close();
      } catch (SQLException alreadyBroken) {
        log.debug("The doorbell's old connection did not close", alreadyBroken);
      }
    }
  }
}
