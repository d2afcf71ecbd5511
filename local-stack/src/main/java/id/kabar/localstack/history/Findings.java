package id.kabar.localstack.history;

import java.util.ArrayList;
import java.util.List;

/** The violations found so far, each with its story. */
final class Findings {

  private final Timelines timelines;
  private final List<Violation> violations = new ArrayList<>();

  Findings(Timelines timelines) {
    this.timelines = timelines;
  }

  void violated(Kind kind, String subject, String sentence) {
    violations.add(new Violation(kind, subject, sentence, timelines.story(subject)));
  }

  List<Violation> all() {
    return List.copyOf(violations);
  }
}
