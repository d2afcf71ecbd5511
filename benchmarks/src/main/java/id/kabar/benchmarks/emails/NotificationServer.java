package id.kabar.benchmarks.emails;

import id.kabar.localstack.servers.Java;
import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** One instance of notification-service with a heap of 256 MB; it is ready once it sends. */
final class NotificationServer extends ServerProcess {

  private final Path checkout;
  private final Map<String, String> environment;
  private final SlowProvider provider;

  NotificationServer(
      int port, Path log, Path checkout, Map<String, String> environment, SlowProvider provider) {
    super("notification-service", List.of(port), log);
    this.checkout = checkout;
    this.environment = environment;
    this.provider = provider;
    diesWithThisJvm();
  }

  @Override
  protected void prepare() {}

  @Override
  protected List<String> command() {
    Path jar = checkout.resolve("notification-service/target/notification-service.jar");
    return List.of(
        Java.executable(),
        "-XX:+UseSerialGC",
        "-Xmx256m",
        "-jar",
        jar.toString(),
        "--server.port=" + ports().getFirst());
  }

  @Override
  protected Map<String, String> environment() {
    return environment;
  }

  @Override
  protected boolean isReady(OsProcess process) {
    return provider.emails() > 0;
  }
}
