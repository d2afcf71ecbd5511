package id.kabar.localstack.chaos;

import id.kabar.localstack.InstanceName;
import id.kabar.localstack.Service;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One way to break a stack, and to mend it again. */
sealed interface Fault {

  /** All kinds there are. */
  SortedSet<String> KINDS =
      Stream.concat(
              Stream.of(Fault.class.getPermittedSubclasses()),
              Stream.of(OfProcess.class.getPermittedSubclasses()))
          .filter(type -> !type.isInterface())
          .map(Fault::kind)
          .collect(Collectors.toCollection(TreeSet::new));

  /** Faults that have one of these in common are never in force at the same time. */
  Set<String> claims();

  /** Whose work it hinders. */
  Set<String> parties();

  /** The kind, for figures and for running some kinds only. */
  default String kind() {
    return kind(getClass());
  }

  private static String kind(Class<?> type) {
    return type.getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static Set<String> usual(Service service) {
    return IntStream.rangeClosed(1, Schedule.USUAL)
        .mapToObj(number -> service.number(number).toString())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** SIGKILL, and another start. */
  record Kill(InstanceName victim) implements OfProcess {
    @Override
    public String toString() {
      return "SIGKILL " + victim;
    }
  }

  /** SIGSTOP and SIGCONT. */
  record Freeze(InstanceName victim) implements OfProcess {
    @Override
    public String toString() {
      return "SIGSTOP " + victim;
    }
  }

  /** SIGTERM (or what the server takes for an orderly stop), and another start. */
  record Stop(InstanceName victim) implements OfProcess {
    @Override
    public String toString() {
      return "SIGTERM " + victim;
    }
  }

  /** An orderly stop and a start at once. */
  record Restart(InstanceName victim) implements OfProcess {
    @Override
    public String toString() {
      return "restart " + victim;
    }
  }

  /** The clock of one process, against everybody else's. */
  record Clock(InstanceName victim, int hours) implements OfProcess {
    @Override
    public String toString() {
      return "clock of %s %+d h".formatted(victim, hours);
    }
  }

  /** More or fewer instances, one number after the other. */
  record Scale(Service service, List<Integer> counts) implements Fault {

    @Override
    public Set<String> claims() {
      return usual(service);
    }

    @Override
    public Set<String> parties() {
      return Set.of(service.label());
    }

    @Override
    public String toString() {
      return "scale %s to %s"
          .formatted(
              service, counts.stream().map(String::valueOf).collect(Collectors.joining(", then ")));
    }
  }

  /** SIGKILL for all instances, and a start on all that has piled up meanwhile. */
  record Absence(Service service) implements Fault {

    @Override
    public Set<String> claims() {
      return usual(service);
    }

    @Override
    public Set<String> parties() {
      return Set.of(service.label());
    }

    @Override
    public String toString() {
      return "SIGKILL every " + service;
    }
  }

  /** A fault of the email stub. */
  record Provider(String json) implements Fault {

    @Override
    public Set<String> claims() {
      return Set.of(Service.EMAIL_STUB.number(1).toString()); // which forgets it when it dies
    }

    @Override
    public Set<String> parties() {
      return Set.of(Service.EMAIL_STUB.label());
    }

    @Override
    public String toString() {
      return "provider " + json;
    }
  }

  /** A wire that is not whole. */
  record Network(Link link, Wire.Condition condition) implements Fault {

    @Override
    public Set<String> claims() {
      return Set.of(link.name());
    }

    @Override
    public Set<String> parties() {
      return link.parties();
    }

    @Override
    public String toString() {
      return "network %s: %s"
          .formatted(link, condition.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
  }

  /** Not a byte is left where a server keeps its data. */
  record DiskFull(Service service) implements Fault {

    @Override
    public Set<String> claims() {
      return Set.of(service.number(1).toString());
    }

    @Override
    public Set<String> parties() {
      return Set.of(service.label());
    }

    @Override
    public String toString() {
      return "disk of %s full".formatted(service);
    }
  }

  /** A transaction that has written and read, and does not end. */
  record LongTransaction(String database) implements Fault {

    @Override
    public Set<String> claims() {
      return Set.of("transaction in " + database);
    }

    @Override
    public Set<String> parties() {
      return Set.of();
    }

    @Override
    public String toString() {
      return "long transaction in " + database;
    }
  }

  /** Concerns one process. */
  sealed interface OfProcess extends Fault {

    InstanceName victim();

    @Override
    default Set<String> claims() {
      return Set.of(victim().toString());
    }

    @Override
    default Set<String> parties() {
      return Set.of(victim().service().label());
    }
  }
}
