package id.kabar.localstack.chaos;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.localstack.chaos.Schedule.Injection;
import id.kabar.localstack.history.RunFigures;
import id.kabar.localstack.history.Sources;
import id.kabar.localstack.history.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One run: a new stack is broken by the schedule of a seed while customers buy, then healed; it
 * must come to rest, its dead letters are sent again, and the history judges.
 */
public final class ChaosRun {

  private static final Duration LONGEST = Duration.ofHours(12);

  private final LocalStack stack;
  private final Options options;
  private final Consumer<String> live;
  private final Notes notes = new Notes();

  /**
   * What to break, and how hard the customers work meanwhile.
   *
   * @param kinds of faults to inject, by their names; empty for all
   * @param perSecond orders of all customers together
   */
  public record Options(
      long seed, Duration length, Set<String> kinds, int customers, double perSecond) {

    public Options {
      if (length.isNegative() || length.isZero() || length.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "A run lasts more than nothing and at most %d h.".formatted(LONGEST.toHours()));
      }
      if (customers < 1 || customers > 1_000 || perSecond <= 0 || perSecond > 10_000) {
        throw new IllegalArgumentException(
            "There can be 1 to 1000 customers, who place up to 10000 orders a second.");
      }
      if (!Fault.KINDS.containsAll(kinds)) {
        throw new IllegalArgumentException(
            "There are these kinds of faults: %s.".formatted(String.join(", ", Fault.KINDS)));
      }
    }
  }

  /** What a run needs to know of the stack once it runs. */
  public interface Access {

    Sources sources(LocalStack stack);

    /** Sends all open dead letters again; how many were. */
    int replay(LocalStack stack);
  }

  /**
   * How it ended.
   *
   * @param troubles what the experiment could not do, which says nothing on Kabar
   * @param indiscretions lines of logs that tell a customer's address
   */
  public record Report(
      Verdict verdict,
      RunFigures figures,
      List<String> troubles,
      long indiscretions,
      Path history) {

    public boolean isClean() {
      return verdict.isSettled() && indiscretions == 0;
    }
  }

  /**
   * @param stack new; it is started and stopped here
   * @param live hears a line per fault
   */
  public ChaosRun(LocalStack stack, Options options, Consumer<String> live) {
    this.stack = stack;
    this.options = options;
    this.live = live;
  }

  /** Whatever ends this JVM, nothing stays broken, running or mounted. */
  public Report run(Access access) throws InterruptedException {
    for (Service service : List.of(Service.POSTGRES, Service.KAFKA)) {
      Disk.forget(stack.home().resolve(service.label()));
    }
    RunFolder.claim(stack);
    Rig rig = new Rig(stack);
    Thread undo = new Thread(() -> undo(rig), "heal");
    Runtime.getRuntime().addShutdownHook(undo);
    try {
      rig.missing().forEach(live);
      stack.start();
      stack.scale(Service.NOTIFICATION_SERVICE, Schedule.USUAL);
      return breakAndJudge(rig, access);
    } finally {
      undo(rig);
      forget(undo);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException itRuns) {
      return; // Ctrl-C: it is what has just undone it
    }
  }

  private synchronized void undo(Rig rig) {
    stack.stop();
    rig.close();
  }

  private Report breakAndJudge(Rig rig, Access access) throws InterruptedException {
    Sources sources = access.sources(stack);
    Ending ending = new Ending(stack, access, notes, live);
    Schedule schedule = schedule();
    Instant begun = Instant.now();
    Nemesis nemesis = new Nemesis(stack, rig, notes, live);
    Instant healed;
    Duration settled;
    try (Sampler _ = new Sampler(stack.bootstrapServers(), notes)) {
      try (Customers _ =
              new Customers(
                  new Till(rig.orders(), notes),
                  options.seed(),
                  options.customers(),
                  options.perSecond());
          Probes _ =
              new Probes(
                  sources.orders(), sources.user(), sources.password(), options.seed(), notes)) {
        nemesis.follow(schedule);
        live.accept("Healing ...");
        nemesis.heal();
        healed = Instant.now();
      }
      settled = ending.settle(healed);
    }
    return ending.judge(options.seed(), begun, healed, settled, nemesis.troubles());
  }

  private Schedule schedule() {
    Schedule all = Schedule.of(options.seed(), options.length());
    if (options.kinds().isEmpty()) {
      return all;
    }
    List<Injection> chosen =
        all.injections().stream()
            .filter(it -> options.kinds().contains(it.fault().kind()))
            .toList();
    return new Schedule(all.seed(), chosen);
  }
}
