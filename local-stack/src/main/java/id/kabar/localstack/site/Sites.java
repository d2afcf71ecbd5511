package id.kabar.localstack.site;

import static java.util.stream.Collectors.joining;

import id.kabar.localstack.LocalStack;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the Kabar that runs. */
public final class Sites {

  private final LocalStack local;
  private final Tool docker;
  private final Tool kubectl;

  /**
   * @param local the stack to look for first
   * @param checkout where compose.yaml is
   */
  public Sites(LocalStack local, Path checkout) {
    this.local = local;
    this.docker = new Tool(checkout, "docker");
    this.kubectl = new Tool(checkout, "kubectl");
  }

  /**
   * The one that is asked for, else the only one that runs.
   *
   * @throws NoSite if it does not run
   */
  public Site reach(@Nullable Target wanted) {
    if (wanted != null) {
      if (!runs(wanted)) {
        throw NoSite.on(wanted);
      }
      return site(wanted);
    }
    List<Target> running = Arrays.stream(Target.values()).filter(this::runs).toList();
    if (running.isEmpty()) {
      throw NoSite.anywhere();
    }
    if (running.size() > 1) {
      throw new IllegalArgumentException(
          "Several run: %s. Say with --on which one you mean."
              .formatted(running.stream().map(Target::toString).collect(joining(", "))));
    }
    return site(running.getFirst());
  }

  private boolean runs(Target target) {
    return switch (target) {
      case LOCAL -> local.isRunning();
      case COMPOSE -> ComposeSite.runs(docker);
      case KIND -> KindSite.runs(kubectl);
    };
  }

  private Site site(Target target) {
    return switch (target) {
      case LOCAL -> new LocalSite(local);
      case COMPOSE -> new ComposeSite(docker);
      case KIND -> new KindSite(kubectl);
    };
  }
}
