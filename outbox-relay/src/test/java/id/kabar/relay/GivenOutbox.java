package id.kabar.relay;

import id.kabar.testservers.Database;
import id.kabar.testservers.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** A database of its own with the outbox tables as order-service's migration makes them. */
final class GivenOutbox {

  private static final Path MIGRATIONS =
      Path.of("../order-service/src/main/resources/db/migration");

  private final Database owner;
  private final @Nullable String relaysJdbcUrl;

  private GivenOutbox(Database owner, @Nullable String relaysJdbcUrl) {
    this.owner = owner;
    this.relaysJdbcUrl = relaysJdbcUrl;
  }

  /** The same outbox, for relays that reach it by another address. */
  GivenOutbox through(String jdbcUrl) {
    return new GivenOutbox(owner, jdbcUrl);
  }

  static GivenOutbox fresh() {
    GivenOutbox outbox = withoutTables();
    outbox.migrate();
    return outbox;
  }

  static GivenOutbox withoutTables() {
    return new GivenOutbox(TestPostgres.shared().freshDatabase("orders", "order_service"), null);
  }

  void migrate() {
    try {
      for (String migration : List.of("V1__outbox.sql", "V10__outbox_operations.sql")) {
        execute(
            Files.readString(MIGRATIONS.resolve(migration))
                .replace("${relay_role}", "outbox_relay"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Database owner() {
    return owner;
  }

  Database relay() {
    Database relay = owner.as("outbox_relay");
    return relaysJdbcUrl == null
        ? relay
        : new Database(relaysJdbcUrl, relay.user(), relay.password());
  }

  JdbcConnectionDetails connectionDetails() {
    Database relay = relay();
    return new JdbcConnectionDetails() {
      @Override
      public String getUsername() {
        return relay.user();
      }

      @Override
      public String getPassword() {
        return relay.password();
      }

      @Override
      public String getJdbcUrl() {
        return relay.jdbcUrl();
      }
    };
  }

  /** A session as a relay's worker has it. */
  Outbox session() {
    try {
      return Outbox.open(connectionDetails(), Settings.defaults().timeouts(), "test");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void execute(String sql) {
    owner.execute(sql);
  }

  /** One event in a transaction of its own. */
  UUID append(String key) {
    return append("OrderPaid", key, "{\"key\":\"%s\"}".formatted(key));
  }

  UUID append(String eventType, String key, String payload) {
    try (Connection connection = owner.connect()) {
      return append(connection, eventType, key, payload);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One event in the caller's transaction. */
  static UUID append(Connection connection, String eventType, String key, String payload)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into outbox_event (aggregate_type, aggregate_id, event_type, payload)
            values ('Order', ?, ?, ?::json) returning id
            """)) {
      insert.setString(1, key);
      insert.setString(2, eventType);
      insert.setString(3, payload);
      try (ResultSet row = insert.executeQuery()) {
        row.next();
        return row.getObject(1, UUID.class);
      }
    }
  }

  /** {@code perKey} numbered events for each of {@code keys} keys, in one transaction. */
  void appendMany(int keys, int perKey) {
    execute(
        """
        insert into outbox_event (aggregate_type, aggregate_id, event_type, payload)
        select 'Order', 'key-' || k, 'OrderPaid', json_build_object('key', 'key-' || k, 'n', n)
        from generate_series(1, %d) n, generate_series(1, %d) k
        """
            .formatted(perKey, keys));
  }

  /** A text that lands in the given bucket. */
  String keyInBucket(int bucket) {
    return keyInBucket("key-", bucket);
  }

  /** Another text that lands in the given bucket. */
  String neighbourInBucket(int bucket) {
    return keyInBucket("n-", bucket);
  }

  private String keyInBucket(String prefix, int bucket) {
    return texts(
            """
            select '%1$s' || n from generate_series(1, 5000) n
            where (hashtextextended('%1$s' || n, 0) & 63) = %2$d order by n limit 1
            """
                .formatted(prefix, bucket))
        .getFirst();
  }

  long pending() {
    return number("select count(*) from outbox_event");
  }

  long parked() {
    return number("select count(*) from outbox_event where parked_at is not null");
  }

  long archived() {
    return number("select count(*) from outbox_archive");
  }

  long number(String sql) {
    return Long.parseLong(texts(sql).getFirst());
  }

  List<String> texts(String sql) {
    try (Connection connection = owner.connect();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
