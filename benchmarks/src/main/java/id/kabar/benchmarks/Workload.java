package id.kabar.benchmarks;

import id.kabar.benchmarks.report.Sample;
import java.time.Duration;
import java.util.List;

/**
 * One load, measured for each of its arms. A run repeats it and takes the arms in turn, so that a
 * machine that changes under it changes for all of them.
 *
 * <pre>{@code
 * final class Emails implements Workload {
 *   public Sample run(String arm, Bench bench) {
 *     ...
 *     return new Sample().put("emails/s", count / seconds);
 *   }
 * }
 * }</pre>
 */
public interface Workload {

  /** As on the command line: lower case and hyphens. */
  String name();

  /** What is done and what is measured, as a sentence or two of the report. */
  String description();

  /** In the order of the report. */
  List<String> arms();

  /** The figure that the report draws. */
  String chart();

  /**
   * What is to be run.
   *
   * @param steady how long a steady load is kept up
   */
  record Plan(Bench.Length length, Duration steady) {}

  /** About how long one run of one arm takes. */
  int seconds(Plan plan);

  /**
   * Measures the arm once, on a clean database and a new topic.
   *
   * @return what was measured; a sample may {@linkplain Sample#refuse refuse} itself
   */
  Sample run(String arm, Bench bench) throws Exception;
}
