package id.kabar.relay;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Not part of the build: how fast a backlog drains on this machine. Run by {@code
 * -Dit.test=BurnDownRun -Dkabar.burn-down=200000}.
 */
@EnabledIfSystemProperty(named = "kabar.burn-down", matches = "[0-9]+")
class BurnDownRun {

  @Test
  void backlogDrains() {
    int events = Integer.getInteger("kabar.burn-down");
    int rounds = Integer.getInteger("kabar.burn-down.rounds", 5);
    GivenOutbox outbox = GivenOutbox.fresh();
    GivenTopic topic = GivenTopic.fresh();
    String workers = System.getProperty("kabar.burn-down.workers", "2");
    for (int round = 1; round <= rounds; round++) {
      fill(outbox, events);
      RelaySettings settings =
          Settings.of(
              "routes.OrderPaid",
              topic.name(),
              "workers",
              workers,
              "archive.keep-payload",
              System.getProperty("kabar.burn-down.keep", "true"));
      try (GivenRelay relay = new GivenRelay(outbox, settings)) {
        double[] cpuBefore = cpuSeconds();
        long start = System.nanoTime();
        relay.start();
        await()
            .pollInterval(Duration.ofMillis(20))
            .atMost(Duration.ofMinutes(2))
            .until(() -> relay.meters.counter("outbox.published").count() >= events);
        double seconds = (System.nanoTime() - start) / 1e9;
        double[] cpu = cpuSeconds();
        double thousands = events / 1000.0;
        System.out.printf(
            Locale.ROOT,
            "burn-down %d: %,.0f events/s (%.2f s), CPU s per 1,000: relay %.4f, PostgreSQL %.4f, Kafka %.4f%n",
            round,
            events / seconds,
            seconds,
            (cpu[0] - cpuBefore[0]) / thousands,
            (cpu[1] - cpuBefore[1]) / thousands,
            (cpu[2] - cpuBefore[2]) / thousands);
      }
    }
  }

  /** Of this process, of PostgreSQL and of Kafka, where they are processes of ours. */
  private static double[] cpuSeconds() {
    double[] seconds = new double[3];
    seconds[0] = cpuSeconds(ProcessHandle.current());
    ProcessHandle.current()
        .descendants()
        .forEach(
            process -> {
              String command = process.info().command().orElse("");
              seconds[command.endsWith("java") ? 2 : 1] += cpuSeconds(process);
            });
    return seconds;
  }

  private static double cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
  }

  private static void fill(GivenOutbox outbox, int events) {
    outbox.execute(
        """
        insert into outbox_event (aggregate_type, aggregate_id, event_type, payload, headers)
        select 'Order', 'order-' || (i %% 10000), 'OrderPaid',
          ('{"eventId":"' || gen_random_uuid() || '","orderId":"' || gen_random_uuid()
            || '","pad":"' || repeat('x', 192) || '"}')::json,
          '{"ce_specversion":"1.0","ce_type":"id.kabar.OrderPaid.v1","content-type":"application/json"}'
        from generate_series(1, %d) i
        """
            .formatted(events));
    outbox.execute("vacuum analyze outbox_event");
  }
}
