package id.kabar.benchmarks.report;

import java.util.Arrays;

/** How long events took, in ms. */
public final class Latencies {

  private final double[] sorted;

  public Latencies(double[] millis) {
    sorted = millis.clone();
    Arrays.sort(sorted);
  }

  /**
   * The duration that this share of the events did not exceed.
   *
   * @param quantile between 0 and 1
   */
  public double at(double quantile) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
  }

  public Sample into(Sample sample) {
    return sample
        .put("p50 ms", at(0.5))
        .put("p95 ms", at(0.95))
        .put("p99 ms", at(0.99))
        .put("longest ms", at(1));
  }
}
