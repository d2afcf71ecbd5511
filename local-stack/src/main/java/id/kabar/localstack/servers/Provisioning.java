package id.kabar.localstack.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * The roles and databases of Kabar on a PostgreSQL server. Each service owns its database; the
 * relay may enter the database with the outbox, and gets its rights there from the outbox's own
 * migration. Running it again changes nothing.
 */
public final class Provisioning {

  private static final String ROLES =
      """
      create role order_service login password 'order_service';
      create role outbox_relay login password 'outbox_relay';
      create role notification_service login password 'notification_service';
      """;

  private static final String DATABASE =
      """
      create database ${database} owner ${owner};
      revoke connect, temporary on database ${database} from public;
      """;

  private static final String OUTBOX_DATABASE =
      DATABASE
          + """
          grant connect on database ${database} to outbox_relay;
          """;

  private static final String DUPLICATE_OBJECT = "42710";
  private static final String DUPLICATE_DATABASE = "42P04";
  private static final Set<String> THERE_ALREADY = Set.of(DUPLICATE_OBJECT, DUPLICATE_DATABASE);

  private Provisioning() {}

  /** Creates the roles and the databases {@code orders} and {@code notifications}. */
  public static void all(Connection superuser) throws SQLException {
    roles(superuser);
    outboxDatabase(superuser, "orders", "order_service");
    database(superuser, "notifications", "notification_service");
  }

  public static void roles(Connection superuser) throws SQLException {
    run(superuser, ROLES);
  }

  /** A database that only its owner may enter. */
  public static void database(Connection superuser, String database, String owner)
      throws SQLException {
    run(superuser, named(DATABASE, database, owner));
  }

  /** A database that its owner and the relay may enter. */
  public static void outboxDatabase(Connection superuser, String database, String owner)
      throws SQLException {
    run(superuser, named(OUTBOX_DATABASE, database, owner));
  }

  private static String named(String sql, String database, String owner) {
    return sql.replace("${database}", identifier(database)).replace("${owner}", identifier(owner));
  }

  private static String identifier(String name) {
    if (!name.matches("[a-z][a-z0-9_]{0,62}")) {
      throw new IllegalArgumentException(
          "'%s' is no plain name: lower case letters, digits and _ only".formatted(name));
    }
    return name;
  }

  // One by one: a database cannot be created together with anything else.
  private static void run(Connection superuser, String sql) throws SQLException {
    try (Statement statement = superuser.createStatement()) {
      for (String each : sql.split(";\n", -1)) {
        if (each.isBlank()) {
          continue;
        }
        try {
          statement.execute(each);
        } catch (SQLException e) {
          if (!THERE_ALREADY.contains(e.getSQLState())) {
            throw e;
          }
        }
      }
    }
  }
}
