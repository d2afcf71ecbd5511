package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The running service with an operator in front of it, and letters for him to work on. */
abstract class OperatedService extends RunningService {

  Operator operator() {
    return new Operator(port, "secret");
  }

  UUID rejected() {
    return rejected(1).getFirst();
  }

  List<UUID> rejected(int count) {
    PROVIDER.answers(422);
    List<UUID> events = IntStream.range(0, count).mapToObj(i -> records().paid()).toList();
    events.forEach(event -> awaitLetter(event, "OPEN REJECTED"));
    PROVIDER.reset();
    return events;
  }

  long idOf(UUID event) {
    return jdbc.sql("select id from dead_letter where event_id = ?")
        .param(event)
        .query(Long.class)
        .single();
  }

  String sinceOf(List<UUID> events) {
    return jdbc.sql("select min(last_failed_at) from dead_letter where event_id in (:events)")
        .param("events", events)
        .query(OffsetDateTime.class)
        .single()
        .toInstant()
        .toString();
  }

  int replaysOf(UUID event) {
    return jdbc.sql("select replays from dead_letter where event_id = ?")
        .param(event)
        .query(Integer.class)
        .single();
  }

  List<Long> lettersOf(UUID order) {
    return jdbc.sql("select id from dead_letter where order_id = ?")
        .param(order)
        .query(Long.class)
        .list();
  }

  static <T> List<T> inParallel(int times, Callable<T> task) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures =
          IntStream.range(0, times).mapToObj(i -> threads.submit(task)).toList();
      threads.shutdown();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      return futures.stream().map(Future::resultNow).toList();
    }
  }
}
