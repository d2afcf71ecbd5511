package id.kabar.localstack;

import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** One of Kabar's own services as a process, ready when its health endpoint says so. */
final class AppServer extends ServerProcess {

  private final Supplier<List<String>> java;
  private final URI health;
  private final Wiring wiring;

  /** How the service finds the others: environment variables and arguments. */
  record Wiring(Map<String, String> environment, List<String> arguments) {}

  /**
   * @param java the command that runs it, without arguments of its own
   * @param health answers 200 when the service may be given work; on the last of the ports
   */
  AppServer(
      InstanceName name,
      List<Integer> ports,
      Path log,
      Supplier<List<String>> java,
      URI health,
      Wiring wiring) {
    super(name.toString(), ports, log);
    this.java = java;
    this.health = health;
    this.wiring = wiring;
  }

  @Override
  protected void prepare() {}

  @Override
  protected List<String> command() {
    List<String> command = new ArrayList<>(java.get());
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
