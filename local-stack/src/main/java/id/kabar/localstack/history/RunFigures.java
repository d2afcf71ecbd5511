package id.kabar.localstack.history;

import id.kabar.localstack.history.Run.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A run in numbers.
 *
 * @param samples of the consumers' offsets, one per partition and second; without them nothing can
 *     be said about a hold
 * @param longestHold of a record on its partition, while its consumers and what they stand on were
 *     well
 * @param longestHoldWithProviderUp while the provider was, too
 * @param settledAfter from healing until nothing was on its way
 */
public record RunFigures(
    long seed,
    int calls,
    int refused,
    int unknown,
    int faults,
    int samples,
    Duration longestHold,
    Duration longestHoldWithProviderUp,
    @Nullable Duration settledAfter) {

  public static RunFigures of(Run run, History history) {
    PaceCheck pace = new PaceCheck(history, run, new Findings(new Timelines(history, run)));
    return new RunFigures(
        run.seed(),
        run.operations().size(),
        count(run, Outcome.FAIL),
        count(run, Outcome.UNKNOWN),
        run.disturbances().size(),
        run.samples().size(),
        pace.longestHold(),
        pace.longestHoldWithProviderUp(),
        run.settledAfter());
  }

  private static int count(Run run, Outcome outcome) {
    return (int) run.operations().stream().filter(it -> it.outcome() == outcome).count();
  }

  @Override
  public String toString() {
    return """
        seed %d: %,d faults; %,d calls, %,d of them refused, %,d of unknown outcome
        a record held its partition for %.1f s at most, %.1f s with the provider up (%,d samples)
        at rest %s after healing"""
        .formatted(
            seed,
            faults,
            calls,
            refused,
            unknown,
            longestHold.toMillis() / 1e3,
            longestHoldWithProviderUp.toMillis() / 1e3,
            samples,
            settledAfter == null ? "never" : "%.1f s".formatted(settledAfter.toMillis() / 1e3));
  }
}
