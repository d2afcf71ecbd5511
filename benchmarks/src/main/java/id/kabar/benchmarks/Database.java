package id.kabar.benchmarks;

import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.Provisioning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The database {@code orders} as order-service's migrations leave it, and what it can tell. */
public final class Database {

  private static final String NAME = "orders";
  private static final String OWNER = "order_service";

  private final PostgresServer server;

  private Database(PostgresServer server) {
    this.server = server;
  }

  static Database fresh(PostgresServer server, Path checkout) throws SQLException, IOException {
    try (Connection superuser = server.connect("postgres");
        Statement statement = superuser.createStatement()) {
      statement.execute(
          """
          select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active
          """);
      statement.execute("drop database if exists orders with (force)");
      Provisioning.roles(superuser);
      Provisioning.outboxDatabase(superuser, NAME, OWNER);
      statement.execute("checkpoint"); // none of an earlier run's writing is left to this one
    }
    Database database = new Database(server);
    try (Connection owner = database.connect();
        Statement statement = owner.createStatement()) {
      for (Path migration : migrations(checkout)) {
        statement.execute(Files.readString(migration).replace("${relay_role}", "outbox_relay"));
      }
    }
    database.execute("create extension pg_stat_statements");
    return database;
  }

  private static List<Path> migrations(Path checkout) throws IOException {
    Path folder = checkout.resolve("order-service/src/main/resources/db/migration");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("V\\d+__.*\\.sql"))
          .sorted(Comparator.comparingInt(Database::version))
          .toList();
    }
  }

  private static int version(Path migration) {
    return Integer.parseInt(migration.getFileName().toString().replaceAll("^V(\\d+)__.*$", "$1"));
  }

  public PostgresServer server() {
    return server;
  }

  public String jdbcUrl() {
    return server.jdbcUrl(NAME);
  }

  /** A connection of the tables' owner, as the writers have. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), OWNER, OWNER);
  }

  /** As the superuser. */
  public void execute(String sql) throws SQLException {
    try (Connection connection = server.connect(NAME);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** As the superuser: the single number a query returns. */
  public double number(String sql) throws SQLException {
    try (Connection connection = server.connect(NAME);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getDouble(1);
    }
  }

  /** Bytes written to the log of changes since the server was made. */
  public double walBytes() throws SQLException {
    return number("select pg_current_wal_insert_lsn() - '0/0'");
  }

  /** Statements a role has executed in this database, transactions' begin and end included. */
  public double statements(String role) throws SQLException {
    try (Connection connection = server.connect(NAME);
        PreparedStatement statement =
            connection.prepareStatement(
                """
                select coalesce(sum(calls), 0)
                from pg_stat_statements
                where userid = (select oid from pg_roles where rolname = ?)
                  and dbid = (select oid from pg_database where datname = current_database())
                """)) {
      statement.setString(1, role);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getDouble(1);
      }
    }
  }

  /** The same without the transactions' begin and end. */
  public double queries(String role) throws SQLException {
    try (Connection connection = server.connect(NAME);
        PreparedStatement statement =
            connection.prepareStatement(
                """
                select coalesce(sum(calls), 0)
                from pg_stat_statements
                where userid = (select oid from pg_roles where rolname = ?)
                  and dbid = (select oid from pg_database where datname = current_database())
                  and query !~* '^(begin|commit|rollback)'
                """)) {
      statement.setString(1, role);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getDouble(1);
      }
    }
  }

  /** What a role's statements have cost on the server: calls, ms, rows, and how they begin. */
  public String dearest(String role) throws SQLException {
    StringBuilder text = new StringBuilder("calls\tms\trows\tstatement\n");
    try (Connection connection = server.connect(NAME);
        PreparedStatement statement =
            connection.prepareStatement(
                """
                select calls, total_exec_time, rows, left(regexp_replace(query, '\\s+', ' ', 'g'), 150)
                from pg_stat_statements
                where userid = (select oid from pg_roles where rolname = ?)
                  and dbid = (select oid from pg_database where datname = current_database())
                order by total_exec_time desc
                limit 15
                """)) {
      statement.setString(1, role);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          text.append(rows.getLong(1)).append('\t').append(Math.round(rows.getDouble(2)));
          text.append('\t').append(rows.getLong(3)).append('\t').append(rows.getString(4));
          text.append('\n');
        }
      }
    }
    return text.toString();
  }

  public double deadTuples(String table) throws SQLException {
    return number(
        "select n_dead_tup from pg_stat_user_tables where relname = '%s'".formatted(table));
  }
}
