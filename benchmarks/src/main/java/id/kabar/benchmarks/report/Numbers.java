package id.kabar.benchmarks.report;

import java.util.Locale;

/** Numbers as a person reads them: three significant digits, thousands apart. */
final class Numbers {

  private Numbers() {}

  static String text(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    double size = Math.abs(value);
    int digits =
        size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
