package id.kabar.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class SharedPostgresIT {

  private final TestPostgres postgres = TestPostgres.shared();

  @Test
  void everyFreshDatabaseIsEmptyAndOwnedByItsService() {
    Database first = postgres.freshDatabase("orders", "order_service");
    first.execute("create table mine (id int)");

    Database second = postgres.freshDatabase("orders", "order_service");

    assertThat(one(second, "select count(*) from pg_tables where schemaname = 'public'"))
        .isEqualTo("0");
    assertThat(one(second, "select current_user")).isEqualTo("order_service");
  }

  @Test
  void theRelayMayEnterTheOrdersDatabaseAndNobodyElseMay() {
    Database orders = postgres.freshDatabase("orders", "order_service");

    assertThat(one(orders.as("outbox_relay"), "select current_user")).isEqualTo("outbox_relay");
    assertThatThrownBy(() -> orders.as("outbox_relay").execute("create table theirs (id int)"))
        .hasStackTraceContaining("permission denied for schema public");
    assertThatThrownBy(() -> orders.as("notification_service").connect())
        .hasMessageContaining("permission denied for database");
  }

  @Test
  void nobodyButItsOwnerMayEnterTheNotificationsDatabase() {
    Database notifications = postgres.freshDatabase("notifications", "notification_service");

    assertThatThrownBy(() -> notifications.as("outbox_relay").connect())
        .hasMessageContaining("permission denied for database");
  }

  @Test
  void aWrongPasswordIsRefused() {
    Database orders = postgres.freshDatabase("orders", "order_service");

    assertThatThrownBy(() -> new Database(orders.jdbcUrl(), orders.user(), "guess").connect())
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void everyCommitIsSyncedAsInProduction() {
    assertThat(one(postgres.admin(), "show fsync")).isEqualTo("on");
    assertThat(one(postgres.admin(), "show synchronous_commit")).isEqualTo("on");
    assertThat(one(postgres.admin(), "show server_version")).startsWith("18.");
  }

  @Test
  void anOutageKeepsPortAndData() {
    Database orders = postgres.freshDatabase("orders", "order_service");
    orders.execute("create table kept (id int); insert into kept values (7)");

    postgres.stop();
    assertThatThrownBy(orders::connect).isInstanceOf(SQLException.class);
    postgres.start();

    assertThat(one(orders, "select id from kept")).isEqualTo("7");
  }

  private static String one(Database database, String query) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    } catch (SQLException e) {
      throw new AssertionError(query, e);
    }
  }
}
