package id.kabar.localstack.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

  private static final String SERVES = "echo ready; while :; do sleep 0.05; done";

  @TempDir Path folder;
  private ShellServer server;

  @AfterEach
  void nothingStays() {
    server.kill();
  }

  @Test
  void crashWhileStartingIsToldWithItsCodeAndTheEndOfItsLog() {
    server = new ShellServer(folder, "echo no luck today; exit 7");

    assertThatThrownBy(server::start)
        .isInstanceOf(ServerFailed.class)
        .hasMessageContaining("shell ended while starting with exit code 7")
        .hasMessageContaining("no luck today")
        .hasMessageContaining(folder.resolve("shell.log").toString());
  }

  @Test
  void stopSendsTheSignalOfAnOrderlyEnd() {
    server = new ShellServer(folder, "trap 'echo asked to end; exit 0' TERM; " + SERVES);
    server.start();

    server.stop();

    assertThat(server.isAlive()).isFalse();
    assertThat(LogTail.textFrom(server.log(), 0)).contains("asked to end");
  }

  @Test
  void killLeavesItNoTimeToAct() {
    server = new ShellServer(folder, "trap 'echo asked to end; exit 0' TERM; " + SERVES);
    server.start();

    server.kill();

    assertThat(server.isAlive()).isFalse();
    assertThat(LogTail.textFrom(server.log(), 0)).doesNotContain("asked to end");
  }

  @Test
  void frozenServerDoesNothingUntilThawed() {
    server = new ShellServer(folder, "echo ready; while :; do echo tick; sleep 0.01; done");
    server.start();
    server.freeze();
    await().until(() -> server.process().orElseThrow().isFrozen());
    long written = server.log().toFile().length();

    assertThat(server.isAlive()).isTrue();
    assertThat(server.isReady()).isFalse();
    await().during(Duration.ofMillis(200)).until(() -> server.log().toFile().length() == written);

    server.thaw();
    await().until(() -> server.log().toFile().length() > written);
  }

  @Test
  void frozenServerCanBeStopped() {
    server = new ShellServer(folder, "trap 'exit 0' TERM; " + SERVES);
    server.start();
    server.freeze();

    server.stop();

    assertThat(server.isAlive()).isFalse();
  }

  @Test
  void startingWhatRunsStartsNoSecondOne() {
    server = new ShellServer(folder, SERVES);
    server.start();
    long pid = server.process().orElseThrow().pid();

    server.start();

    assertThat(server.process().orElseThrow().pid()).isEqualTo(pid);
  }

  @Test
  void anIdThatWasGivenToSomebodyElseIsNotTakenForOurs() {
    server = new ShellServer(folder, SERVES);
    server.start();
    OsProcess process = server.process().orElseThrow();

    assertThat(OsProcess.find(process.pid(), process.birth())).isPresent();
    assertThat(OsProcess.find(process.pid(), "of another birth")).isEmpty();
  }

  @Test
  void anotherCommandTakesOverWhatThisOneStarted() {
    server = new ShellServer(folder, SERVES);
    server.start();
    OsProcess process = server.process().orElseThrow();

    ShellServer found = new ShellServer(folder, SERVES);
    found.adopt(OsProcess.find(process.pid(), process.birth()).orElseThrow());
    found.kill();

    assertThat(server.isAlive()).isFalse();
  }
}
