package id.kabar.localstack.chaos;

import id.kabar.localstack.history.History;
import id.kabar.localstack.history.Run.Action;
import id.kabar.localstack.history.Run.Operation;
import id.kabar.localstack.history.Run.Outcome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * Writers of a few aggregates with many events each: an order has one event, which can overtake
 * none. Their transactions take turns per aggregate, hold several events, commit late or are rolled
 * back.
 */
final class Probes implements AutoCloseable {

  private static final String LOCK =
      """
      select pg_advisory_xact_lock(hashtextextended(?, 0))
      """;

  private static final String APPEND =
      """
      insert into outbox_event (id, aggregate_type, aggregate_id, event_type, payload)
      values (?, 'Probe', ?, '%s', json_build_object('probe', ?))
      """
          .formatted(History.PROBE);

  private static final int AGGREGATES = 12;
  private static final int WRITERS = 3;
  private static final int PAUSE_MILLIS = 250;
  private static final String WRITER_URL =
      "?connectTimeout=2&socketTimeout=40&ApplicationName=chaos-probe";

  private final String url;
  private final String user;
  private final String password;
  private final Notes notes;
  private final Crowd crowd = new Crowd();

  Probes(String jdbcUrl, String user, String password, long seed, Notes notes) {
    this.url = jdbcUrl + WRITER_URL;
    this.user = user;
    this.password = password;
    this.notes = notes;
    for (int number = 1; number <= WRITERS; number++) {
      String name = "writer-" + number;
      Random whims = new Random(seed * 37 + number);
      crowd.joinedBy(name, () -> writeAndWrite(name, whims));
    }
  }

  @Override
  public void close() {
    crowd.close();
  }

  private void writeAndWrite(String name, Random whims) {
    while (crowd.stays()) {
      try (Connection connection = DriverManager.getConnection(url, user, password)) {
        connection.setAutoCommit(false);
        while (crowd.stays()) {
          transaction(connection, name, whims);
          Thread.sleep(whims.nextInt(2 * PAUSE_MILLIS));
        }
      } catch (SQLException away) {
        rest(PAUSE_MILLIS); // the database is broken on purpose; what it means is written down
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void transaction(Connection connection, String name, Random whims)
      throws SQLException, InterruptedException {
    String aggregate = "probe-" + whims.nextInt(AGGREGATES);
    boolean commits = whims.nextInt(8) != 0;
    int late = whims.nextInt(10) == 0 ? whims.nextInt(4_000) : whims.nextInt(20);
    List<String> events = new ArrayList<>();
    for (int number = 1 + whims.nextInt(3); number > 0; number--) {
      events.add(UUID.randomUUID().toString());
    }
    Instant asked = Instant.now();
    Outcome outcome = Outcome.FAIL;
    String answer = "not committed";
    try (PreparedStatement lock = connection.prepareStatement(LOCK);
        PreparedStatement append = connection.prepareStatement(APPEND)) {
      lock.setString(1, aggregate);
      lock.execute();
      for (String event : events) {
        append.setObject(1, UUID.fromString(event));
        append.setString(2, aggregate);
        append.setString(3, event);
        append.executeUpdate();
      }
      Thread.sleep(late);
      if (commits) {
        outcome = Outcome.UNKNOWN; // until the database says more
        answer = "no answer to the commit";
        connection.commit();
        outcome = Outcome.OK;
        answer = "committed";
      } else {
        connection.rollback();
        answer = "rolled back";
      }
    } finally {
      Instant answered = Instant.now();
      for (String event : events) {
        notes.add(
            new Operation(name, Action.APPEND, event, event, 0, asked, answered, outcome, answer));
      }
    }
  }

  private static void rest(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
