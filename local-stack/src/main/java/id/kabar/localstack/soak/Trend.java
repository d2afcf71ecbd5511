package id.kabar.localstack.soak;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Where one figure goes. Judged is what comes after the warm-up, by the median of the slopes
 * between all pairs of readings (Theil and Sen), which no peak moves; it grows if that slope makes
 * more than the figure's allowance over the time that is judged, and most pairs rise (Kendall).
 *
 * @param early median of the first quarter of what is judged
 * @param late median of its last quarter
 * @param perHour the slope
 */
record Trend(
    String subject, Measure measure, double early, double late, double perHour, Verdict verdict) {

  /** Of a figure. */
  enum Verdict {
    FLAT,
    GROWS,
    /** By what it is there for: rows that are kept until their retention ends, say. */
    KEPT,
    /** Too few readings to tell. */
    UNKNOWN
  }

  private static final int FEWEST = 6;
  private static final double MOST_PAIRS_RISE = 0.4;

  /** The first third of the readings, but not more than this, is warm-up. */
  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(10);

  /**
   * @param readings of one figure of one subject
   * @param kept whether growth is what it is there for
   */
  static Trend of(List<Reading> readings, boolean kept) {
    List<Reading> judged = afterWarmUp(readings);
    Reading any = readings.getFirst();
    double[] values = judged.stream().mapToDouble(Reading::value).toArray();
    int quarter = Math.max(1, values.length / 4);
    double early = median(Arrays.copyOf(values, quarter));
    double late = median(Arrays.copyOfRange(values, values.length - quarter, values.length));
    double perSecond = slope(judged);
    double seconds = seconds(judged.getLast().at().minus(judged.getFirst().at()));
    boolean grows =
        perSecond * seconds > any.measure().allowance(early) && rising(values) > MOST_PAIRS_RISE;
    Verdict verdict;
    if (kept) {
      verdict = Verdict.KEPT;
    } else if (values.length < FEWEST) {
      verdict = Verdict.UNKNOWN;
    } else {
      verdict = grows ? Verdict.GROWS : Verdict.FLAT;
    }
    return new Trend(any.subject(), any.measure(), early, late, perSecond * 3600, verdict);
  }

  boolean isBad() {
    return verdict == Verdict.GROWS || verdict == Verdict.UNKNOWN;
  }

  private static List<Reading> afterWarmUp(List<Reading> readings) {
    List<Reading> inOrder = readings.stream().sorted(Comparator.comparing(Reading::at)).toList();
    Duration begin = inOrder.getFirst().at();
    Duration third = inOrder.getLast().at().minus(begin).dividedBy(3);
    Duration warmUp = third.compareTo(LONGEST_WARM_UP) > 0 ? LONGEST_WARM_UP : third;
    return inOrder.stream().filter(it -> it.at().compareTo(begin.plus(warmUp)) >= 0).toList();
  }

  /** Per second. */
  private static double slope(List<Reading> readings) {
    int count = readings.size();
    double[] slopes = new double[count * (count - 1) / 2];
    int n = 0;
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        double seconds = seconds(readings.get(j).at().minus(readings.get(i).at()));
        slopes[n++] =
            seconds > 0 ? (readings.get(j).value() - readings.get(i).value()) / seconds : 0;
      }
    }
    return n == 0 ? 0 : median(slopes);
  }

  /** Rising pairs less falling ones, as a share of all. */
  private static double rising(double[] values) {
    double balance = 0;
    int pairs = 0;
    for (int i = 0; i < values.length; i++) {
      for (int j = i + 1; j < values.length; j++) {
        balance += Math.signum(values[j] - values[i]);
        pairs++;
      }
    }
    return pairs == 0 ? 0 : balance / pairs;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }
}
