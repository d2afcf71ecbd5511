package id.kabar.localstack.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;

/** TCP ports of this machine. */
public final class Ports {

  private Ports() {}

  /**
   * A port nobody listened on a moment ago; whoever uses it must be ready to find it taken. It lies
   * below the range from which systems number outgoing connections, so that it can be taken again
   * after a restart of its server.
   */
  public static int free() {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
      if (isFree(port)) {
        return port;
      }
    }
    throw new ServerFailed("No free TCP port was found between 10000 and 32000.");
  }

  /**
   * Makes sure that a server can have the port.
   *
   * @throws PortTaken with the process that has it, as far as this user may see it
   */
  public static void requireFree(String server, int port) {
    if (!isFree(port)) {
      throw new PortTaken(server, port, Listeners.on(port));
    }
  }

  /** Whether it is this process that listens on the port; without /proc, whether anybody does. */
  public static boolean isHeldBy(OsProcess process, int port) {
    return Listeners.isOn(port, process);
  }

  /** Whether nobody listens on the port, on any address of this machine. */
  public static boolean isFree(int port) {
    // On every address: a listener on any one of them would take a part of the calls.
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether somebody accepts connections on the port; who that is, it does not say. */
  static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
