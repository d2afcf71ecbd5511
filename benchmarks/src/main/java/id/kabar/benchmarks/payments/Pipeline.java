package id.kabar.benchmarks.payments;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Latencies;
import id.kabar.benchmarks.report.Sample;
import id.kabar.localstack.LocalStack;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The whole of Kabar: orders are placed and paid at a fixed rate, and each has its email. */
public final class Pipeline implements Workload {

  private static final List<Integer> RATES = List.of(20, 50, 100, 200);
  private static final Duration RUN_IN = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Override
  public String name() {
    return "pipeline";
  }

  @Override
  public String description() {
    return """
    All of Kabar on this machine as ./kabar up starts it. Orders are placed and paid at a fixed rate, open loop, after \
    15 s of the same; a payment's time counts from when its order was due to be placed, an email's from the \
    payment's answer to the provider's acceptance.\
    """;
  }

  @Override
  public List<String> arms() {
    return RATES.stream().map(rate -> "kabar %d/s".formatted(rate)).toList();
  }

  @Override
  public String chart() {
    return "pay to email p50 ms";
  }

  @Override
  public int seconds(Plan plan) {
    return (int) plan.steady().plus(RUN_IN).toSeconds() + 45;
  }

  @Override
  public Sample run(String arm, Bench bench) throws Exception {
    int rate = Integer.parseInt(arm.replaceAll("\\D", ""));
    Path folder =
        bench.servers().folder().resolve("pipeline-%d-%d".formatted(rate, bench.repeat()));
    try (LocalStack stack = LocalStack.onFreePorts(folder)) {
      stack.start();
      try (Cashier cashier = new Cashier(stack.orders())) {
        OpenLoop.run(rate, RUN_IN, number -> cashier.pay(cashier.place(number)));
        return measure(stack, cashier, rate, bench.steady());
      }
    }
  }

  private static Sample measure(LocalStack stack, Cashier cashier, int rate, Duration length)
      throws Exception {
    int orders = (int) (rate * length.toSeconds());
    AtomicReferenceArray<String> ids = new AtomicReferenceArray<>(orders);
    long[] paid = new long[orders];
    double[] millis = new double[orders];
    OpenLoop loop =
        OpenLoop.run(
            rate,
            length,
            number -> {
              String id = cashier.place(number);
              long start = System.nanoTime();
              cashier.pay(id);
              paid[number] = System.currentTimeMillis();
              millis[number] = (System.nanoTime() - start) / 1e6;
              ids.set(number, id);
            });
    Latencies pays = new Latencies(Arrays.stream(millis).filter(one -> one > 0).toArray());
    Map<String, Instant> sent = awaitSent(stack, ids);
    double[] toEmail = new double[orders];
    int n = 0;
    for (int i = 0; i < orders; i++) {
      Instant at = ids.get(i) == null ? null : sent.get(ids.get(i));
      if (at != null) {
        toEmail[n++] = Math.max(0, at.toEpochMilli() - paid[i]);
      }
    }
    Latencies emails = new Latencies(Arrays.copyOf(toEmail, n));
    Latencies both = loop.latencies();
    Sample sample =
        new Sample()
            .put("pay p50 ms", pays.at(0.5))
            .put("pay p99 ms", pays.at(0.99))
            .put("place + pay p50 ms", both.at(0.5))
            .put("place + pay p99 ms", both.at(0.99))
            .put("pay to email p50 ms", emails.at(0.5))
            .put("pay to email p99 ms", emails.at(0.99))
            .put("orders/s", loop.achieved());
    if (loop.failures() > 0) {
      sample.refuse("%d orders failed".formatted(loop.failures()));
    }
    loop.refusal().ifPresent(sample::refuse);
    if (n < orders - loop.failures()) {
      sample.refuse("%d emails are missing".formatted(orders - loop.failures() - n));
    }
    return sample;
  }

  /** When each order's email was accepted, by the notifications database. */
  private static Map<String, Instant> awaitSent(LocalStack stack, AtomicReferenceArray<String> ids)
      throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Map<String, Instant> sent = new HashMap<>();
    while (true) {
      sent.putAll(sent(stack));
      boolean all = true;
      for (int i = 0; i < ids.length(); i++) {
        all &= ids.get(i) == null || sent.containsKey(ids.get(i));
      }
      if (all || System.nanoTime() > deadline) {
        return sent;
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private static Map<String, Instant> sent(LocalStack stack) throws SQLException {
    Map<String, Instant> sent = new HashMap<>();
    try (Connection connection =
            DriverManager.getConnection(
                stack.jdbcUrl("notifications"), "notification_service", "notification_service");
        PreparedStatement statement =
            connection.prepareStatement(
                "select order_id, sent_at from processed_event where state = 'SENT'");
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        sent.put(rows.getObject(1, UUID.class).toString(), rows.getTimestamp(2).toInstant());
      }
    }
    return sent;
  }
}
