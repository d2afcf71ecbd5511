package id.kabar.localstack.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {

  @Test
  void takenPortIsNamedWithTheProcessThatHasIt() throws IOException {
    try (ServerSocket socket = listening()) {
      int port = socket.getLocalPort();

      assertThatThrownBy(() -> Ports.requireFree("Kafka", port))
          .isInstanceOf(PortTaken.class)
          .hasMessage(
              "Port %d, which Kafka needs, is taken by process %d (java)."
                  .formatted(port, ProcessHandle.current().pid()));
    }
  }

  @Test
  void freePortMayBeUsedAgainAtOnce() throws IOException {
    int port = Ports.free();
    try (ServerSocket socket = new ServerSocket(port)) {
      assertThat(socket.isBound()).isTrue();
    }

    assertThatCode(() -> Ports.requireFree("Kafka", port)).doesNotThrowAnyException();
  }

  @Test
  void answerOfSomebodyElseIsNotTakenForOurs() throws IOException {
    OsProcess self = OsProcess.of(ProcessHandle.current());
    OsProcess parent = OsProcess.of(ProcessHandle.current().parent().orElseThrow());
    try (ServerSocket socket = listening()) {
      assertThat(Ports.isHeldBy(self, socket.getLocalPort())).isTrue();
      assertThat(Ports.isHeldBy(parent, socket.getLocalPort())).isFalse();
    }
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
