package id.kabar.relay;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has to be done for the outbox beside publishing; each on a pooled connection. */
final class Housekeeping {

  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

  private final DataSource dataSource;
  private final Watermarks watermarks;
  private final RelayMetrics metrics;

  Housekeeping(DataSource dataSource, Watermarks watermarks, RelayMetrics metrics) {
    this.dataSource = dataSource;
    this.watermarks = watermarks;
    this.metrics = metrics;
  }

  void sampleWatermark() throws SQLException {
    if (!watermarks.wantSample()) {
      return;
    }
    try (Connection connection = dataSource.getConnection()) {
      watermarks.sample(new Upkeep(connection));
    } catch (SQLException e) {
      watermarks.forget();
      throw e;
    }
  }

  void measure() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Upkeep outbox = new Upkeep(connection);
      metrics.measured(outbox.depth(watermarks.glance()), outbox.surroundings());
    }
  }

  /** Nothing is asked while no replay was seen. */
  void replay() throws SQLException {
    if (metrics.depth().replays() == 0) {
      return;
    }
    try (Connection connection = dataSource.getConnection()) {
      Upkeep outbox = new Upkeep(connection);
      int moved = outbox.replayStep();
      if (moved > 0) {
        metrics.replayed(moved);
        outbox.ring(Doorbell.CHANNEL, "");
        log.info("Put {} events back from the archive", moved);
      }
    }
  }

  void ring(String channel, String word) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      new Upkeep(connection).ring(channel, word);
    }
  }

  void extendArchive(int daysAhead) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      int made = new Upkeep(connection).extendArchive(daysAhead);
      if (made > 0) {
        log.info("Made {} partitions of the archive, {} days ahead", made, daysAhead);
      }
    }
  }

  void pruneArchive(int daysKept) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      int dropped = new Upkeep(connection).pruneArchive(daysKept);
      if (dropped > 0) {
        log.info("Dropped {} partitions of the archive, older than {} days", dropped, daysKept);
      }
    }
  }
}
