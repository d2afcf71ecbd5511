package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * up.sh and down.sh call kind, Docker and kubectl as they should; here these only write it down.
 */
class KindScriptsTest {

  private static final String BASH = Command.of("bash", "-c", "type -P bash").run();
  private static final List<String> TOOLS =
      List.of("bash", "dirname", "date", "grep", "sort", "cat");

  @TempDir private Path folder;

  @BeforeEach
  void useTheMachinesOwnTools() throws IOException {
    for (String tool : TOOLS) {
      program(tool, "exec %s \"$@\"".formatted(Command.of("bash", "-c", "type -P " + tool).run()));
    }
  }

  @Test
  void upMakesTheClusterLoadsEveryImageAndWaits() throws IOException {
    fake("docker", "case \"$*\" in *--images) printf '%s\\n' " + images() + ";; esac");
    fake("kind", "");
    fake(
        "kubectl",
        "case \"$*\" in *'get statefulset'*) echo statefulset/kafka;;"
            + " *'get deployment'*) echo deployment/order-service;; esac");

    Command.Result result = script("up.sh");

    assertThat(result.orFail()).contains("localhost:8080/orders", "k8s/kind/down.sh");
    String kubectl = "kubectl --context kind-kabar --namespace kabar ";
    assertThat(calls())
        .containsSubsequence(
            "kind create cluster --config k8s/kind/cluster.yaml --wait 120s --quiet",
            "docker compose build --quiet",
            "kind load docker-image --name kabar --quiet kabar/email-stub:0.1.0"
                + " kabar/notification-service:0.1.0 kabar/order-service:0.1.0"
                + " kabar/outbox-relay:0.1.0",
            kubectl + "apply -k k8s/overlays/kind",
            kubectl + "rollout restart deployment/order-service",
            kubectl + "rollout status statefulset/kafka --timeout 300s",
            kubectl + "rollout status deployment/order-service --timeout 300s");
  }

  @Test
  void upUsesTheClusterThatIsThere() throws IOException {
    fake("docker", "");
    fake("kind", "echo kabar");
    fake("kubectl", "");

    script("up.sh").orFail();

    assertThat(calls()).noneMatch(call -> call.startsWith("kind create"));
  }

  @Test
  void upSaysWhatIsMissing() throws IOException {
    fake("docker", "");

    Command.Result result = script("up.sh");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).startsWith("up.sh: kind is not installed");
  }

  @Test
  void upSaysThatNoEngineAnswers() throws IOException {
    fake("docker", "exit 1");
    fake("kind", "");
    fake("kubectl", "");

    Command.Result result = script("up.sh");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).startsWith("up.sh: no Docker engine answers");
  }

  @Test
  void downRemovesTheCluster() throws IOException {
    fake("kind", "");

    script("down.sh").orFail();

    assertThat(calls()).containsExactly("kind delete cluster --name kabar");
  }

  /** A program that writes down how it was called. */
  private void fake(String name, String body) throws IOException {
    program(name, "echo \"%s $*\" >>%s%n%s".formatted(name, folder.resolve("calls"), body));
  }

  private void program(String name, String body) throws IOException {
    Path program = Files.writeString(folder.resolve(name), "#!%s%n%s%n".formatted(BASH, body));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Command.Result script(String name) {
    return Command.of(BASH, "k8s/kind/" + name).with(Map.of("PATH", folder.toString())).tryToRun();
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }

  /** What compose would list. */
  private static String images() {
    return String.join(" ", ComposeFile.services().stream().map(ComposeFile::image).toList());
  }
}
