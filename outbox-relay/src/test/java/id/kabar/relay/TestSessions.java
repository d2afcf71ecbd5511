package id.kabar.relay;

import id.kabar.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What an administrator can see of a relay's database sessions, and do to them. */
final class TestSessions {

  private TestSessions() {}

  /** Ends the oldest sessions of the relays on this outbox. */
  static void terminateRelays(GivenOutbox outbox, int count) {
    String database = outbox.texts("select current_database()").getFirst();
    TestPostgres.shared()
        .admin()
        .execute(
            """
            select pg_terminate_backend(pid, 5000) from (
              select pid from pg_stat_activity
              where datname = '%s' and application_name like 'outbox-relay-worker@%%'
              order by backend_start limit %d) relays
            """
                .formatted(database, count));
  }

  /** How many sessions of the relays have a transaction open. */
  static int inARound(GivenOutbox outbox) {
    String database = outbox.texts("select current_database()").getFirst();
    try (Connection connection = TestPostgres.shared().admin().connect();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                select count(*) from pg_stat_activity
                where datname = ? and application_name like 'outbox-relay-worker@%' and xact_start is not null
                """)) {
      statement.setString(1, database);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
