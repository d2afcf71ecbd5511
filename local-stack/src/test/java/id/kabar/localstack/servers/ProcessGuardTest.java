package id.kabar.localstack.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessGuardTest {

  @TempDir Path folder;

  @Test
  void nothingSurvivesAJvmThatIsKilled() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Process jvm = jvm(data);
    OsProcess server = serverOf(jvm);

    jvm.destroyForcibly().waitFor();

    await().until(() -> !server.isAlive());
    await().until(() -> !Files.exists(data));
  }

  @Test
  void frozenServerDoesNotSurviveEither() throws Exception {
    Process jvm = jvm(folder.resolve("data"));
    OsProcess server = serverOf(jvm);
    server.signal(Signal.STOP);

    jvm.destroyForcibly().waitFor();

    await().until(() -> !server.isAlive());
  }

  private static OsProcess serverOf(Process jvm) throws Exception {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
    long pid = Long.parseLong(output.readLine());
    assertThat(OsProcess.find(pid)).isPresent();
    return OsProcess.find(pid).orElseThrow();
  }

  private static Process jvm(Path data) throws Exception {
    return new ProcessBuilder(
            Java.executable(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            Java.classPath(),
            Keeper.class.getName(),
            data.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** A JVM that starts a server, tells its process id, and would go on for ever. */
  static final class Keeper {

    private Keeper() {}

    static void main(String[] args) throws InterruptedException {
      Path data = Path.of(args[0]);
      ShellServer server = new ShellServer(data, "echo ready; while :; do sleep 0.05; done");
      server.diesWithThisJvm();
      ProcessGuard.remove(data);
      server.start();
      System.out.println(server.process().orElseThrow().pid());
      Thread.currentThread().join();
    }
  }
}
