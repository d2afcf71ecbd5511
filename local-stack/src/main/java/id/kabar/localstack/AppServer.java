package id.kabar.localstack;

import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One of Kabar's own services as a process, ready when its health endpoint says so. */
final class AppServer extends ServerProcess {

  private final BootApp app;
  private final String heap;
  private final URI health;
  private final Wiring wiring;

  /** How the service finds the others: environment variables and arguments. */
  record Wiring(Map<String, String> environment, List<String> arguments) {}

  /**
   * @param heap its largest heap, as the JVM takes it
   * @param health answers 200 when the service may be given work; on the last of the ports
   */
  AppServer(
      InstanceName name,
      List<Integer> ports,
      Path log,
      BootApp app,
      String heap,
      URI health,
      Wiring wiring) {
    super(name.toString(), ports, log);
    this.app = app;
    this.heap = heap;
    this.health = health;
    this.wiring = wiring;
  }

  @Override
  protected void prepare() {}

  @Override
  protected List<String> command() {
    List<String> command = new ArrayList<>(app.command(heap));
    command.addAll(wiring.arguments());
    return command;
  }

  @Override
  protected Map<String, String> environment() {
    return wiring.environment();
  }

  @Override
  protected boolean isReady(OsProcess process) {
    return Ports.isHeldBy(process, ports().getLast()) && HttpProbe.get(health) == 200;
  }
}
