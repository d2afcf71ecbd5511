package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.report.Sample;
import java.util.Arrays;

/** How long events took, in ms. */
final class Latencies {

  private final double[] sorted;

  Latencies(double[] millis) {
    sorted = millis.clone();
    Arrays.sort(sorted);
  }

  /**
   * @param quantile between 0 and 1
   */
  double at(double quantile) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
  }

  Sample into(Sample sample) {
    return sample
        .put("p50 ms", at(0.5))
        .put("p95 ms", at(0.95))
        .put("p99 ms", at(0.99))
        .put("longest ms", at(1));
  }
}
