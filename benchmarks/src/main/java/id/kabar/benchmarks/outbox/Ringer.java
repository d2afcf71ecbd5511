package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The writers' doorbell as order-service has it: rung after the commit, it notifies at once, on a
 * connection of its own, and then not again for a pause.
 */
final class Ringer implements AutoCloseable {

  /** The product's default. */
  static final Duration PAUSE = Duration.ofMillis(2);

  private static final String RING =
      """
      select set_config('synchronous_commit', 'off', true), pg_notify('outbox', '')
      """;

  private final Connection connection;
  private final Duration pause;
  private final BlockingQueue<Boolean> rung = new ArrayBlockingQueue<>(1);
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Future<?> ringing;

  Ringer(Database database, Duration pause) throws SQLException {
    this.connection = database.connect();
    this.pause = pause;
    this.ringing = thread.submit(this::ringUntilClosed);
  }

  void ring() {
    rung.offer(true);
  }

  // The pause is the bell's own.
  @SuppressWarnings("BusyWait")
  private boolean ringUntilClosed() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      while (true) {
        rung.take();
        statement.execute(RING);
        Thread.sleep(pause);
      }
    } catch (InterruptedException closed) {
      return true;
    }
  }

  @Override
  public void close() throws SQLException {
    thread.shutdownNow();
    try {
      ringing.get();
    } catch (ExecutionException e) {
      throw new SQLException("the doorbell did not ring", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connection.close();
    }
  }
}
