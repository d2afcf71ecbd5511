package id.kabar.systemtests;

import id.kabar.localstack.history.Sources;
import id.kabar.localstack.servers.Provisioning;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Both databases, as their superuser sees them. */
final class Databases {

  private static final String EVENT_OF_ORDER =
      """
      select id from outbox_event where aggregate_id = ?
      union
      select id from outbox_archive where aggregate_id = ?
      """;

  private static final String UNPUBLISHED =
      """
      select count(*) from outbox_event where parked_at is null
      """;

  private static final String REFUSED =
      """
      select count(*) from outbox_event where attempts > 0 or parked_at is not null
      """;

  private static final String UNFINISHED =
      """
      select count(*) from processed_event where state = 'SENDING'
      """;

  private static final String REASONS =
      """
      select count(*) from dead_letter where position(? in detail || headers::text) > 0
      """;

  private static final String MIGRATIONS =
      """
      select version from flyway_schema_history where success and version is not null
      """;

  private static final String STATE =
      """
      select state from processed_event where event_id = ?::uuid
      """;

  private static final String UNSENT =
      """
      select count(*) from unnest(?::uuid[]) as paid (order_id)
      where not exists (
          select from processed_event p where p.order_id = paid.order_id and p.state = 'SENT')
      """;

  private final Sources sources;
  private final String orders;
  private final String notifications;

  Databases(Sources sources) {
    this.sources = sources;
    this.orders = sources.orders();
    this.notifications = sources.notifications();
  }

  /** A lock on all buckets: no relay claims anything until it is released. */
  RowLock lockBuckets() {
    return RowLock.on(connect(orders), "select from outbox_bucket for update");
  }

  /** A lock on one event: a relay can read and send it, but not settle it. */
  RowLock lockEvent(String eventId) {
    return RowLock.on(
        connect(orders),
        "select from outbox_event where id = '%s' for update".formatted(UUID.fromString(eventId)));
  }

  /** A lock on one claim: a consumer can send its email, but not finish it. */
  RowLock lockClaim(String eventId) {
    return RowLock.on(
        connect(notifications),
        "select from processed_event where event_id = '%s' for update"
            .formatted(UUID.fromString(eventId)));
  }

  /** A database as the local stack makes them, and nothing in it. */
  void create(String name, String owner) {
    try (Connection connection = connect(orders)) {
      Provisioning.database(connection, name, owner);
    } catch (SQLException e) {
      throw new IllegalStateException("no database " + name, e);
    }
  }

  void drop(String name) {
    try (Connection connection = connect(orders);
        Statement statement = connection.createStatement()) {
      statement.execute("drop database if exists %s with (force)".formatted(name));
    } catch (SQLException e) {
      throw new IllegalStateException("database %s was not dropped".formatted(name), e);
    }
  }

  /** The versions a database was brought to, each as often as that happened. */
  List<String> migrationsOf(String name) {
    try (Connection connection = connect(sibling(name));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(MIGRATIONS)) {
      List<String> versions = new ArrayList<>();
      while (rows.next()) {
        versions.add(rows.getString("version"));
      }
      return versions;
    } catch (SQLException e) {
      throw new IllegalStateException(MIGRATIONS.strip(), e);
    }
  }

  /** The JDBC URL of another database of the same server. */
  String sibling(String name) {
    return orders.substring(0, orders.lastIndexOf('/') + 1) + name;
  }

  /** The event of a payment; empty until it is committed. */
  Optional<String> eventOf(String orderId) {
    return text(orders, EVENT_OF_ORDER, orderId, orderId);
  }

  /** SENDING, UNSENT or SENT; empty until it was claimed for the first time. */
  Optional<String> stateOf(String eventId) {
    return text(notifications, STATE, eventId);
  }

  /** Events that are neither published nor parked. */
  long unpublished() {
    return number(orders, UNPUBLISHED);
  }

  /** Events that count a refused attempt, parked ones included. */
  long refused() {
    return number(orders, REFUSED);
  }

  /** How many of these orders have no email that is known to be sent. */
  long unsent(Collection<String> orderIds) {
    return number(notifications, UNSENT, "{" + String.join(",", orderIds) + "}");
  }

  /** Claims that were neither finished nor given up. */
  long unfinished() {
    return number(notifications, UNFINISHED);
  }

  /** Dead letters whose reason or headers tell a text. */
  long deadLettersThatTell(String text) {
    return number(notifications, REASONS, text);
  }

  private long number(String database, String sql, String... parameters) {
    return Long.parseLong(text(database, sql, parameters).orElseThrow());
  }

  private Optional<String> text(String database, String sql, String... parameters) {
    try (Connection connection = connect(database);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql.strip(), e);
    }
  }

  private Connection connect(String database) {
    try {
      return DriverManager.getConnection(database, sources.user(), sources.password());
    } catch (SQLException e) {
      throw new IllegalStateException("no connection to " + database, e);
    }
  }
}
