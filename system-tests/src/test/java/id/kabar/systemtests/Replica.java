package id.kabar.systemtests;

import static java.util.Comparator.comparingLong;

import id.kabar.localstack.servers.Java;
import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One more process of a service, outside the stack: on a port and a database of its own. */
final class Replica extends ServerProcess {

  private final String service;
  private final Map<String, String> environment;

  private Replica(String service, int port, Path log, Map<String, String> environment) {
    super(log.getFileName().toString(), List.of(port), log);
    this.service = service;
    this.environment = environment;
  }

  /**
   * @param portVariable tells the service the port on which its health is
   * @param log a file of its own
   */
  static Replica of(
      String service, String portVariable, Map<String, String> environment, Path log) {
    int port = Ports.free();
    Map<String, String> all = new HashMap<>(environment);
    all.put(portVariable, Integer.toString(port));
    Replica replica = new Replica(service, port, log, all);
    replica.diesWithThisJvm();
    return replica;
  }

  @Override
  protected void prepare() {}

  @Override
  protected Map<String, String> environment() {
    return environment;
  }

  @Override
  protected List<String> command() {
    return List.of(
        Java.executable(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx256m",
        "-jar",
        jar().toString());
  }

  @Override
  protected boolean isReady(OsProcess process) {
    try {
      String url = "http://127.0.0.1:%d/actuator/health/readiness".formatted(ports().getFirst());
      return Http.get(url).status() == 200;
    } catch (UncheckedIOException e) {
      return false; // does not listen yet
    }
  }

  /** The one the stack has extracted for a quick start. */
  private Path jar() {
    Path target = Path.of(System.getProperty("kabar.checkout", ".."), service, "target");
    try (Stream<Path> folders = Files.list(target)) {
      return folders
          .filter(folder -> folder.getFileName().toString().startsWith("extracted-"))
          .max(comparingLong(folder -> folder.toFile().lastModified()))
          .orElse(target)
          .resolve(service + ".jar");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
