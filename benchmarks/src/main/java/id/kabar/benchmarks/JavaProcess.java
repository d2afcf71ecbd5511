package id.kabar.benchmarks;

import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A Java program in a process of its own; it has started when its log says so. */
public final class JavaProcess extends ServerProcess {

  private final List<String> command;
  private final Map<String, String> environment;
  private final String started;

  /**
   * @param started what the log says once it works
   */
  public JavaProcess(
      String name,
      List<Integer> ports,
      Path log,
      List<String> command,
      Map<String, String> environment,
      String started) {
    super(name, ports, log);
    this.command = command;
    this.environment = environment;
    this.started = started;
    diesWithThisJvm();
  }

  @Override
  protected void prepare() {}

  @Override
  protected List<String> command() {
    return command;
  }

  @Override
  protected Map<String, String> environment() {
    return environment;
  }

  @Override
  protected boolean isReady(OsProcess process) {
    try {
      return Files.readString(log()).contains(started);
    } catch (IOException e) {
      return false;
    }
  }
}
