package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.core.ConditionTimeoutException;

/** Pods on a network of their own. Closing it removes all of them, and the network. */
final class Pods implements AutoCloseable {

  private final String network =
      "kabar-test-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  private final Deque<Pod> pods = new ArrayDeque<>();
  private final Thread cleanUp = new Thread(this::removeEverything);

  void createNetwork() {
    Runtime.getRuntime().addShutdownHook(cleanUp);
    Docker.run("network", "create", network);
  }

  Pod start(Workload workload, Path folder, String... aliases) {
    Pod pod = Pod.start(workload, network, folder, aliases);
    pods.push(pod);
    return pod;
  }

  String network() {
    return network;
  }

  String url(String workload, int port) {
    return "http://localhost:" + pod(workload).publishedPort(port);
  }

  Pod pod(String workload) {
    return pods.stream()
        .filter(pod -> pod.name().equals(network + "-" + workload))
        .findFirst()
        .orElseThrow();
  }

  /** Waits until all three probes of its manifest are passed, as long as Kubernetes would. */
  void awaitHealthy(String workload) {
    Pod pod = pod(workload);
    try {
      await(workload + " starts")
          .atMost(pod.patience())
          .until(() -> pod.passes("startupProbe") && pod.passes("readinessProbe"));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + "\n" + pod.logs(), e);
    }
    assertThat(pod.passes("livenessProbe")).as("%s is alive", workload).isTrue();
  }

  @Override
  public void close() {
    if (Runtime.getRuntime().removeShutdownHook(cleanUp)) {
      removeEverything();
    }
  }

  private void removeEverything() {
    pods.forEach(Pod::close);
    Docker.run("network", "rm", network);
  }
}
