package id.kabar.localstack.site;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;

/** A command needs a running Kabar, and there is none where it looked. */
public final class NoSite extends RuntimeException {

  private NoSite(String message) {
    super(message);
  }

  static NoSite anywhere() {
    return new NoSite(
        "No Kabar runs. Start one: "
            + Arrays.stream(Target.values())
                .map(target -> "`%s` (%s)".formatted(target.startedBy(), target))
                .collect(joining(", "))
            + ".");
  }

  static NoSite on(Target target) {
    return new NoSite(
        "No Kabar runs on %s. `%s` starts one.".formatted(target, target.startedBy()));
  }
}
