package id.kabar.containertests;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the Dockerfile says about one of its targets. */
record Dockerfile(String text) {

  private static final Pattern TARGET =
      Pattern.compile("(?ms)^FROM runtime AS ([\\w-]+)$(.*?)(?=^FROM |\\z)");

  static List<String> targets() {
    return all().map(target -> target.group(1)).toList();
  }

  static Dockerfile target(String name) {
    return all()
        .filter(target -> target.group(1).equals(name))
        .map(target -> new Dockerfile(target.group(2)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the Dockerfile has no target " + name));
  }

  List<Integer> ports() {
    return Stream.of(find("(?m)^EXPOSE (.+)$").split(" ")).map(Integer::valueOf).toList();
  }

  /** The port and path that the health check asks. */
  String healthCheck() {
    return find("\"HealthCheck\", \"([^\"]+)\"");
  }

  private String find(String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("the Dockerfile's target lacks " + pattern);
    }
    return matcher.group(1);
  }

  private static Stream<MatchResult> all() {
    return TARGET.matcher(Checkout.read("Dockerfile")).results();
  }
}
