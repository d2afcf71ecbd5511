package id.kabar.benchmarks.report;

import org.jspecify.annotations.Nullable;

/**
 * What the run is to show: a figure of one arm, against a limit or against the same figure of
 * another arm.
 *
 * @param sentence what is asked for
 * @param than the arm it is divided by, or null for the figure itself
 * @param least whether the limit is a lower one
 */
public record Target(
    String sentence,
    String workload,
    String figure,
    String arm,
    @Nullable String than,
    boolean least,
    double limit) {

  /** The figure is to be at least so many times the other arm's. */
  public static Target atLeast(
      double times, String than, String workload, String arm, String figure) {
    return new Target(
        "%s: %s at least × %s of %s".formatted(workload, figure, plain(times), than),
        workload,
        figure,
        arm,
        than,
        true,
        times);
  }

  /** The figure is to be at most so many times the other arm's. */
  public static Target atMost(
      double times, String than, String workload, String arm, String figure) {
    return new Target(
        "%s: %s at most × %s of %s".formatted(workload, figure, plain(times), than),
        workload,
        figure,
        arm,
        than,
        false,
        times);
  }

  /** The figure itself is to be at most this. */
  public static Target atMost(double limit, String workload, String arm, String figure) {
    return new Target(
        "%s: %s at most %s".formatted(workload, figure, plain(limit)),
        workload,
        figure,
        arm,
        null,
        false,
        limit);
  }

  String row(Results results) {
    double value = results.spread(workload, arm, figure).median();
    if (than != null) {
      value /= results.spread(workload, than, figure).median();
    }
    String verdict =
        Double.isNaN(value)
            ? "not measured"
            : (least ? value >= limit : value <= limit) ? "reached" : "**missed**";
    return "| %s | %s | %s%s | %s |\n"
        .formatted(
            sentence,
            arm,
            than == null || Double.isNaN(value) ? "" : "× ",
            Numbers.text(value),
            verdict);
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
