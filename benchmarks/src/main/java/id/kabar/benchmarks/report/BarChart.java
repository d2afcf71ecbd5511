package id.kabar.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars as SVG, with the range of the repeats as a thin line; logarithmic where the
 * largest is more than fifty times the smallest, which the title then says.
 */
final class BarChart {

  private static final int LABELS = 250;
  private static final int BARS = 400;
  private static final int VALUES = 120;
  private static final int ROW = 26;
  private static final int TOP = 34;

  private record Bar(String label, Results.Spread spread) {}

  private final String title;
  private final List<Bar> bars = new ArrayList<>();

  BarChart(String title) {
    this.title = title;
  }

  /** A bar without a value is left out. */
  BarChart add(String label, Results.Spread spread) {
    if (!Double.isNaN(spread.median())) {
      bars.add(new Bar(label, spread));
    }
    return this;
  }

  boolean isEmpty() {
    return bars.isEmpty();
  }

  String svg() {
    double most = bars.stream().mapToDouble(bar -> bar.spread().most()).max().orElse(1);
    double least =
        bars.stream().mapToDouble(b -> b.spread().least()).filter(v -> v > 0).min().orElse(1);
    boolean logarithmic = most > 50 * least;
    double floor = logarithmic ? Math.pow(10, Math.floor(Math.log10(least))) / 2 : 0;
    int width = LABELS + BARS + VALUES;
    int height = TOP + ROW * bars.size() + 10;
    StringBuilder svg = new StringBuilder();
    line(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"13\">",
        width,
        height);
    line(svg, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
    line(
        svg,
        "<text x=\"8\" y=\"20\" font-weight=\"bold\">%s</text>",
        escaped(title + (logarithmic ? " (logarithmic)" : "")));
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      int y = TOP + ROW * i;
      double length = length(bar.spread().median(), floor, most);
      double from = length(bar.spread().least(), floor, most);
      double to = length(bar.spread().most(), floor, most);
      line(svg, "<text x=\"8\" y=\"%d\">%s</text>", y + 15, escaped(bar.label()));
      line(
          svg,
          "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>",
          LABELS,
          y + 2,
          length,
          bar.label().startsWith("kabar") ? "#1f6feb" : "#9aa4b2");
      line(
          svg,
          "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#24292f\""
              + " stroke-width=\"2\"/>",
          LABELS + from,
          LABELS + to,
          y + 11,
          y + 11);
      line(
          svg,
          "<text x=\"%.1f\" y=\"%d\">%s</text>",
          LABELS + Math.max(length, to) + 6,
          y + 15,
          escaped(Numbers.text(bar.spread().median())));
    }
    return svg.append("</svg>\n").toString();
  }

  private static double length(double value, double floor, double most) {
    if (floor > 0) {
      return Math.max(1, BARS * Math.log(Math.max(value, floor) / floor) / Math.log(most / floor));
    }
    return most <= 0 ? 1 : Math.max(1, BARS * value / most);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  private static void line(StringBuilder svg, String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
