package id.kabar.relay;

import id.kabar.testservers.TestPostgres;

/** What an operator can do to a relay's database sessions. */
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
              where datname = '%s' and application_name = 'outbox-relay'
              order by backend_start limit %d) relays
            """
                .formatted(database, count));
  }
}
