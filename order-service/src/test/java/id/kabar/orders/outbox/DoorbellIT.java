package id.kabar.orders.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.orders.outbox.OutboxSettings.DoorbellSettings;
import id.kabar.testservers.Database;
import id.kabar.testservers.TestPostgres;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.util.unit.DataSize;

class DoorbellIT {

  private static final Duration PAUSE = Duration.ofMillis(5);
  private static Database database;

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final List<Doorbell> bells = new ArrayList<>();

  @BeforeAll
  static void aDatabase() {
    database = TestPostgres.shared().freshDatabase("bell", "order_service");
  }

  @AfterEach
  void closeBells() throws InterruptedException {
    for (Doorbell bell : bells) {
      bell.close();
    }
  }

  @Test
  void wakesAListener() throws SQLException {
    Doorbell bell = bell(true, PAUSE);
    try (Listener listener = new Listener()) {
      bell.ring();

      await().untilAsserted(() -> assertThat(listener.heard()).isPositive());
    }
  }

  @Test
  void ringsAtMostOncePerPauseHoweverManyPaymentsAsk() throws SQLException {
    Doorbell bell = bell(true, PAUSE);
    try (Listener listener = new Listener()) {
      bell.ring();
      await().untilAsserted(() -> assertThat(listener.heard()).isPositive());
      double before = rings();
      long start = System.nanoTime();

      for (int n = 0; n < 10_000; n++) {
        bell.ring();
        LockSupport.parkNanos(20_000);
      }

      Duration took = Duration.ofNanos(System.nanoTime() - start);
      assertThat(rings() - before)
          .isGreaterThan(1)
          .isLessThanOrEqualTo((double) took.dividedBy(PAUSE) + 2);
    }
  }

  @Test
  void theLastRingIsNotForgotten() throws SQLException {
    Doorbell bell = bell(true, Duration.ofMillis(50));
    try (Listener listener = new Listener()) {
      bell.ring();
      await().untilAsserted(() -> assertThat(listener.heard()).isEqualTo(1));

      bell.ring(); // within the pause: later, but not never

      await().untilAsserted(() -> assertThat(listener.heard()).isEqualTo(2));
    }
  }

  @Test
  void survivesTheEndOfItsConnection() throws SQLException {
    Doorbell bell = bell(true, PAUSE);
    try (Listener listener = new Listener()) {
      bell.ring();
      await().untilAsserted(() -> assertThat(listener.heard()).isEqualTo(1));

      TestPostgres.shared()
          .admin()
          .execute(
              "select pg_terminate_backend(pid) from pg_stat_activity"
                  + " where application_name = 'order-service doorbell' and datname = '"
                  + databaseName()
                  + "'");

      await()
          .untilAsserted(
              () -> {
                bell.ring();
                assertThat(listener.heard()).isGreaterThan(1);
              });
      assertThat(metrics.counter("outbox.doorbell.losses").count()).isPositive();
    }
  }

  @Test
  void neverHoldsUpWhoRingsItWhileNobodyAnswers() {
    Doorbell bell =
        started(
            new Doorbell(
                new Details("jdbc:postgresql://localhost:1/nowhere"),
                settings(true, PAUSE),
                metrics));
    long start = System.nanoTime();

    for (int n = 0; n < 100_000; n++) {
      bell.ring();
    }

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    await()
        .untilAsserted(
            () -> assertThat(metrics.counter("outbox.doorbell.losses").count()).isPositive());
    assertThat(rings()).isZero();
  }

  @Test
  void disabledItStaysSilent() throws SQLException {
    Doorbell silent = bell(false, PAUSE);
    SimpleMeterRegistry others = new SimpleMeterRegistry();
    Doorbell other =
        started(new Doorbell(new Details(database.jdbcUrl()), settings(true, PAUSE), others));
    try (Listener listener = new Listener()) {
      silent.ring();
      other.ring();

      await().untilAsserted(() -> assertThat(listener.heard()).isEqualTo(1));
      assertThat(rings()).isZero();
    }
  }

  private Doorbell bell(boolean enabled, Duration pause) {
    return started(
        new Doorbell(new Details(database.jdbcUrl()), settings(enabled, pause), metrics));
  }

  private Doorbell started(Doorbell bell) {
    bells.add(bell);
    bell.open();
    return bell;
  }

  private double rings() {
    return metrics.counter("outbox.doorbell.rings").count();
  }

  private static String databaseName() {
    return database.jdbcUrl().replaceAll("^.*/|\\?.*$", "");
  }

  private static OutboxSettings settings(boolean enabled, Duration pause) {
    return new OutboxSettings(
        DataSize.ofKilobytes(900),
        new DoorbellSettings(enabled, pause, Duration.ofMillis(20), Duration.ofMillis(100)));
  }

  private record Details(String getJdbcUrl) implements JdbcConnectionDetails {

    @Override
    public String getJdbcUrl() {
      return getJdbcUrl;
    }

    @Override
    public String getUsername() {
      return database.user();
    }

    @Override
    public String getPassword() {
      return database.password();
    }
  }

  /** Counts what comes over the channel. */
  private static final class Listener implements AutoCloseable {

    private final Connection connection = database.connect();
    private int heard;

    Listener() throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("listen outbox");
      }
    }

    int heard() throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("select 1"); // the driver reads what came meanwhile
        PGNotification[] news = connection.unwrap(PGConnection.class).getNotifications();
        heard += news == null ? 0 : news.length;
        return heard;
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
