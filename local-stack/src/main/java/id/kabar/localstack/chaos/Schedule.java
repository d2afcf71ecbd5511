package id.kabar.localstack.chaos;

import id.kabar.localstack.InstanceName;
import id.kabar.localstack.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What is broken when, all of it decided by a seed before anything starts: the same seed gives the
 * same schedule, and a longer one begins like a shorter one.
 */
record Schedule(long seed, List<Injection> injections) {

  /** So many instances of a scalable service run while nothing is broken. */
  static final int USUAL = 2;

  private static final Duration WARM_UP = Duration.ofSeconds(6);
  private static final List<Service> SCALABLE =
      List.of(Service.OUTBOX_RELAY, Service.NOTIFICATION_SERVICE);
  private static final List<Service> WITH_CLOCKS =
      List.of(
          Service.POSTGRES,
          Service.ORDER_SERVICE,
          Service.OUTBOX_RELAY,
          Service.NOTIFICATION_SERVICE);

  private static final List<InstanceName> VICTIMS =
      List.of(
          Service.POSTGRES.number(1),
          Service.KAFKA.number(1),
          Service.EMAIL_STUB.number(1),
          Service.ORDER_SERVICE.number(1),
          Service.OUTBOX_RELAY.number(1),
          Service.OUTBOX_RELAY.number(2),
          Service.NOTIFICATION_SERVICE.number(1),
          Service.NOTIFICATION_SERVICE.number(2));

  private static final List<String> PROVIDER_FAULTS =
      List.of(
          "{'mode':'status','status':500}",
          "{'mode':'status','status':503}",
          "{'mode':'status','status':429,'retryAfter':'3'}",
          "{'mode':'status','status':422,'share':0.5}",
          "{'mode':'status','status':401,'share':0.3}",
          "{'mode':'status','status':409,'share':0.5}",
          "{'mode':'status','status':408}",
          "{'mode':'status','status':302}",
          "{'mode':'delay','delayMillis':2000}",
          "{'mode':'delay','delayMillis':6000}",
          "{'mode':'drip','delayMillis':6000}",
          "{'mode':'reset'}",
          "{'mode':'empty'}",
          "{'mode':'malformed'}",
          "{'mode':'garbage'}",
          "{'mode':'status','status':503,'afterAccepting':true}",
          "{'mode':'status','status':422,'afterAccepting':true,'share':0.5}",
          "{'mode':'delay','delayMillis':6000,'afterAccepting':true}",
          "{'mode':'reset','afterAccepting':true,'share':0.5}",
          "{'mode':'empty','afterAccepting':true}",
          "{'mode':'malformed','afterAccepting':true,'share':0.5}",
          "{'mode':'garbage','afterAccepting':true,'share':0.5}");

  /** A fault, when it begins after the start, and how long it lasts. */
  record Injection(Duration at, Duration lasts, Fault fault) {

    Duration end() {
      return at.plus(lasts);
    }
  }

  static Schedule of(long seed, Duration length) {
    Random random = new Random(seed);
    List<Injection> injections = new ArrayList<>();
    Duration at = WARM_UP;
    while (at.compareTo(length) < 0) {
      List<Injection> group = group(random, at);
      injections.addAll(group);
      at = group.stream().map(Injection::end).max(Duration::compareTo).orElse(at);
      at = at.plus(millis(random, 1_000, 5_000));
    }
    // Drawn whole and cut then: a longer schedule begins like a shorter one.
    return new Schedule(
        seed, injections.stream().filter(it -> it.at().compareTo(length) < 0).toList());
  }

  /** One to three faults that overlap. */
  private static List<Injection> group(Random random, Duration at) {
    List<Injection> group = new ArrayList<>();
    Set<String> claimed = new HashSet<>();
    int size = 1 + random.nextInt(3);
    for (int number = 0; number < size; number++) {
      Injection next = injection(random, at.plus(millis(random, 0, 3_000)));
      // Disjoint ones only: a process is not killed while it is frozen.
      if (next.fault().claims().stream().noneMatch(claimed::contains)) {
        claimed.addAll(next.fault().claims());
        group.add(next);
      }
    }
    return group;
  }

  private static Injection injection(Random random, Duration at) {
    List<Supplier<Injection>> kinds =
        List.of(
            () -> kill(random, at),
            () -> kill(random, at),
            () -> kill(random, at),
            () -> freeze(random, at),
            () -> freeze(random, at),
            () -> new Injection(at, millis(random, 1_000, 10_000), new Fault.Stop(victim(random))),
            () -> new Injection(at, Duration.ZERO, new Fault.Restart(victim(random))),
            () -> scale(random, at),
            () -> absence(random, at),
            () -> provider(random, at),
            () -> provider(random, at),
            () -> provider(random, at),
            () -> network(random, at),
            () -> network(random, at),
            () -> network(random, at),
            () -> clock(random, at),
            () -> diskFull(random, at),
            () -> longTransaction(random, at));
    return any(random, kinds).get();
  }

  private static Injection kill(Random random, Duration at) {
    return new Injection(at, millis(random, 500, 12_000), new Fault.Kill(victim(random)));
  }

  /** From a hiccup to longer than every lease and session: 12 s and 20 s, 15 s and 10 s. */
  private static Injection freeze(Random random, Duration at) {
    Duration lasts = Duration.ofSeconds(any(random, List.of(3, 8, 13, 17, 24, 35)));
    return new Injection(at, lasts, new Fault.Freeze(victim(random)));
  }

  private static Injection scale(Random random, Duration at) {
    Service service = any(random, SCALABLE);
    List<Integer> counts =
        any(random, List.of(List.of(1), List.of(3), List.of(4), List.of(1, Clocks.MOST_INSTANCES)));
    return new Injection(at, millis(random, 5_000, 20_000), new Fault.Scale(service, counts));
  }

  /** Long enough for hundreds of events to wait for the first instance that comes back. */
  private static Injection absence(Random random, Duration at) {
    return new Injection(
        at, millis(random, 15_000, 40_000), new Fault.Absence(any(random, SCALABLE)));
  }

  private static Injection provider(Random random, Duration at) {
    String json = any(random, PROVIDER_FAULTS).replace('\'', '"');
    // Now and then longer than a record may hold its partition.
    boolean lasting = random.nextInt(5) == 0;
    Duration lasts = lasting ? millis(random, 70_000, 100_000) : millis(random, 4_000, 25_000);
    return new Injection(at, lasts, new Fault.Provider(json));
  }

  private static Injection network(Random random, Duration at) {
    Link link = any(random, List.of(Link.values()));
    Wire.Condition condition =
        any(
            random,
            List.of(
                Wire.Condition.DROP,
                Wire.Condition.DELAY,
                Wire.Condition.ONE_WAY,
                Wire.Condition.HALF_OPEN,
                Wire.Condition.RESET));
    return new Injection(at, millis(random, 3_000, 25_000), new Fault.Network(link, condition));
  }

  private static Injection clock(Random random, Duration at) {
    Service service = any(random, WITH_CLOCKS);
    InstanceName victim = service.number(service.scalable() ? 1 + random.nextInt(USUAL) : 1);
    int hours = random.nextBoolean() ? 1 : -1;
    return new Injection(at, millis(random, 8_000, 25_000), new Fault.Clock(victim, hours));
  }

  private static Injection diskFull(Random random, Duration at) {
    Service service = any(random, List.of(Service.POSTGRES, Service.KAFKA));
    return new Injection(at, millis(random, 3_000, 10_000), new Fault.DiskFull(service));
  }

  private static Injection longTransaction(Random random, Duration at) {
    String database = any(random, List.of("orders", "notifications"));
    return new Injection(at, millis(random, 15_000, 40_000), new Fault.LongTransaction(database));
  }

  private static InstanceName victim(Random random) {
    return any(random, VICTIMS);
  }

  private static <T> T any(Random random, List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private static Duration millis(Random random, int least, int most) {
    return Duration.ofMillis(least + (long) random.nextInt(most - least));
  }
}
