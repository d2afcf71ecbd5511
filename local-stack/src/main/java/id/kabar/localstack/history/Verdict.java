package id.kabar.localstack.history;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the check found; as text, the figures and of each kind of violation the smallest story. */
public record Verdict(Figures figures, List<Violation> violations) {

  public boolean isClean() {
    return violations.isEmpty();
  }

  /** Whether it is clean and nothing is on its way any more. */
  public boolean isSettled() {
    return isClean() && isAtRest();
  }

  /** Whether nothing is on its way any more, in whatever state it came to its end. */
  public boolean isAtRest() {
    return figures.pending() == 0 && figures.sending() == 0 && figures.unpublished() == 0;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("History check: ");
    text.append(isClean() ? "clean" : violations.size() + " violations").append('\n');
    figures.toString().lines().forEach(line -> text.append("  ").append(line).append('\n'));
    byKind().forEach((kind, all) -> tell(kind, all, text));
    return text.toString();
  }

  private Map<Kind, List<Violation>> byKind() {
    return violations.stream()
        .collect(
            Collectors.groupingBy(
                Violation::kind, () -> new EnumMap<>(Kind.class), Collectors.toList()));
  }

  private static void tell(Kind kind, List<Violation> all, StringBuilder text) {
    Violation smallest =
        all.stream().min(Comparator.comparingInt(each -> each.story().size())).orElseThrow();
    text.append("  %s (%s) × %d: %s%n".formatted(kind, kind.promise(), all.size(), kind.meaning()));
    text.append("    for instance %s: %s%n".formatted(smallest.subject(), smallest.sentence()));
    smallest.story().forEach(moment -> text.append("      ").append(moment).append('\n'));
  }
}
