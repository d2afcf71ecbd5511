package id.kabar.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run of one arm has measured. A figure's name holds its unit: {@code events/s}, {@code
 * p50 ms}.
 */
public final class Sample {

  private final Map<String, Double> figures = new LinkedHashMap<>();
  private final List<String> refusals = new ArrayList<>();

  public Sample put(String figure, double value) {
    figures.put(figure, value);
    return this;
  }

  /** The run proves nothing about the arm: an event was lost, say. No figure of it is reported. */
  public Sample refuse(String reason) {
    refusals.add(reason);
    return this;
  }

  /** In the order in which they were put. */
  public Map<String, Double> figures() {
    return figures;
  }

  public List<String> refusals() {
    return refusals;
  }
}
