package id.kabar.localstack.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts that fail: each says why and leaves nothing running. */
class UpIT {

  @TempDir Path root;
  private FakeCheckout checkout;

  @BeforeEach
  void checkout() throws Exception {
    checkout = new FakeCheckout(root);
  }

  @Test
  void crashOfOneServiceEndsAllAndIsToldWithItsLog() throws Exception {
    checkout.letCrash("order-service");

    CommandRun up = checkout.kabar("up", "-d");

    assertThat(up.code()).isEqualTo(1);
    assertThat(up.errors())
        .contains("order-service ended while starting with exit code 3")
        .contains("this service was built to crash")
        .contains(checkout.data().resolve("logs/order-service.log").toString());
    assertNothingRuns();
  }

  @Test
  void takenPortsAreNamedBeforeAnythingStarts() throws Exception {
    try (ServerSocket orders = new ServerSocket(checkout.port(8080));
        ServerSocket kafka = new ServerSocket(checkout.port(19092))) {
      CommandRun up = checkout.kabar("up", "-d");

      assertThat(up.code()).isEqualTo(1);
      assertThat(up.errors())
          .contains("Port %d, which order-service needs".formatted(orders.getLocalPort()))
          .contains("Port %d, which kafka needs".formatted(kafka.getLocalPort()))
          .contains("is taken by process %d".formatted(ProcessHandle.current().pid()))
          .contains("--port-offset");
      assertThat(checkout.data().resolve("postgres")).doesNotExist();
    }
  }

  @Test
  void missingJarIsToldWithTheCommandThatBuildsIt() throws Exception {
    checkout.unbuild("outbox-relay");

    CommandRun up = checkout.kabar("up", "-d");

    assertThat(up.code()).isEqualTo(1);
    assertThat(up.errors()).contains("outbox-relay is not built", "`./mvnw package`");
    assertNothingRuns();
  }

  private void assertNothingRuns() {
    assertThat(checkout.kabar("status").errors()).contains("No stack runs on");
    assertThat(ProcessHandle.allProcesses())
        .noneMatch(
            process ->
                process.info().commandLine().filter(c -> c.contains(root.toString())).isPresent());
  }
}
