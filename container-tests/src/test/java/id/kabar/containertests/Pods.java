package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.core.ConditionTimeoutException;

/** Pods on a network of their own. Closing it removes all of them, and the network. */
final class Pods implements AutoCloseable {

  private final String network =
      "kabar-test-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  private final Deque<Pod> pods = new ArrayDeque<>();
  private final List<String> others = new ArrayList<>();
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

  /** A container that is no pod: something outside the cluster. */
  void run(String name, List<String> options) {
    List<String> line =
        new ArrayList<>(List.of("docker", "run", "--detach", "--network", network, "--name"));
    line.add(network + "-" + name);
    line.addAll(options);
    Command.of(line).run();
    others.add(network + "-" + name);
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
    others.forEach(name -> Docker.run("rm", "--force", "--volumes", name));
    Docker.run("network", "rm", network);
  }
}
