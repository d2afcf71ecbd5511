package id.kabar.benchmarks;

import java.nio.file.Path;
import java.time.Duration;

/** What a load may use while it is measured. */
public final class Bench {

  /** How much of a load is run. */
  public enum Length {
    /** All of it. */
    FULL,
    /** Less of it, once: to see that it works, and roughly how it goes. */
    QUICK
  }

  private final Servers servers;
  private final Path checkout;
  private final Length length;
  private final int repeat;
  private final Duration steady;

  Bench(Servers servers, Path checkout, Length length, int repeat, Duration steady) {
    this.servers = servers;
    this.checkout = checkout;
    this.length = length;
    this.repeat = repeat;
    this.steady = steady;
  }

  /** PostgreSQL and Kafka, running. */
  public Servers servers() {
    return servers;
  }

  /** Where the services are built. */
  public Path checkout() {
    return checkout;
  }

  public Length length() {
    return length;
  }

  /** From 1. */
  public int repeat() {
    return repeat;
  }

  /** How long a steady load is kept up. */
  public Duration steady() {
    return steady;
  }

  /** The first of the two in a full run, the second in a quick one. */
  public int full(int full, int quick) {
    return length == Length.FULL ? full : quick;
  }
}
