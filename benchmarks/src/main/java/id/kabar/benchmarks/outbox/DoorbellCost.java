package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Sample;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Writers commit as fast as they can; no relay runs, but one session listens. */
final class DoorbellCost implements Workload {

  private static final int WRITERS = 16;
  static final String SILENT = "no doorbell";
  static final String BELL = "kabar's doorbell";
  private static final String INSIDE = "NOTIFY in the transaction";

  @Override
  public String name() {
    return "doorbell-cost";
  }

  @Override
  public String description() {
    return """
    16 connections insert one event per transaction as fast as they can for 10 s; one session listens. \
    Kabar rings after the commit on a connection of its own, at most once in %d ms.\
    """
        .formatted(Ringer.PAUSE.toMillis());
  }

  @Override
  public List<String> arms() {
    return List.of(SILENT, BELL, INSIDE);
  }

  @Override
  public String chart() {
    return "commits/s";
  }

  @Override
  public int seconds(Plan plan) {
    return 16;
  }

  @Override
  public Sample run(String arm, Bench bench) throws Exception {
    Database database = bench.servers().freshDatabase();
    try (Connection listener = database.connect();
        Statement listen = listener.createStatement()) {
      listen.execute("listen outbox");
      Hammer hammer = new Hammer(database, arm);
      hammer.hit(2);
      return new Sample().put("commits/s", hammer.hit(10));
    }
  }

  private static final class Hammer {

    private final Database database;
    private final String arm;
    private final AtomicInteger next = new AtomicInteger();

    Hammer(Database database, String arm) {
      this.database = database;
      this.arm = arm;
    }

    /** For so many seconds; returns commits per second. */
    double hit(int seconds) throws Exception {
      if (!arm.equals(BELL)) {
        return hit(seconds, () -> {});
      }
      try (Ringer ringer = new Ringer(database, Ringer.PAUSE)) {
        return hit(seconds, ringer::ring);
      }
    }

    private double hit(int seconds, Runnable bell) throws Exception {
      int before = next.get();
      long start = System.nanoTime();
      try (ExecutorService pool = Executors.newCachedThreadPool()) {
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          all.add(pool.submit(() -> write(start + seconds * 1_000_000_000L, bell)));
        }
        for (Future<Boolean> one : all) {
          one.get();
        }
      }
      return (next.get() - before) / ((System.nanoTime() - start) / 1e9);
    }

    private boolean write(long end, Runnable bell) throws SQLException {
      String noise = Table.noise(Shape.USUAL);
      try (Connection connection = database.connect();
          PreparedStatement insertion = Table.OUTBOX_EVENT.insertion(connection);
          Statement notify = connection.createStatement()) {
        boolean inside = arm.equals(INSIDE);
        connection.setAutoCommit(!inside);
        while (System.nanoTime() < end) {
          Table.OUTBOX_EVENT.insert(insertion, Shape.USUAL, next.getAndIncrement(), noise);
          if (inside) {
            notify.execute("notify outbox");
            connection.commit();
          }
          bell.run();
        }
        return true;
      }
    }
  }
}
