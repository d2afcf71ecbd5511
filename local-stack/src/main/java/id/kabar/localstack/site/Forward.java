package id.kabar.localstack.site;

import id.kabar.localstack.servers.ServerFailed;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A port of this machine that kubectl forwards into the cluster, for as long as its process lives.
 */
record Forward(int port, Process process) implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+) .*");

  /**
   * @param ports as kubectl takes them: {@code :5432} for any free port of this machine
   */
  static Forward open(Tool kubectl, String workload, String ports) {
    Process process = kubectl.start("port-forward", "--address=127.0.0.1", workload, ports);
    try {
      BufferedReader output = process.inputReader();
      String line = output.readLine();
      Matcher ready = READY.matcher(line == null ? "" : line);
      if (!ready.matches()) {
        process.destroy();
        throw new ServerFailed(
            "kubectl cannot forward %s of %s: %s".formatted(ports, workload, line));
      }
      // It tells of each connection, and would stop at a full pipe.
      Thread.ofVirtual().start(() -> output.lines().forEach(_ -> {}));
      return new Forward(Integer.parseInt(ready.group(1)), process);
    } catch (IOException e) {
      process.destroy();
      throw new ServerFailed("kubectl cannot be listened to: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
