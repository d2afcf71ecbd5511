package id.kabar.localstack.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** TCP ports of this machine. */
public final class Ports {

  private Ports() {}

  /** A port nobody listened on a moment ago; whoever uses it must be ready to find it taken. */
  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }

  static void requireFree(String server, int port) {
    // On every address: a listener on any one of them would take a part of the calls.
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(port));
    } catch (IOException e) {
      throw new PortTaken(server, port, Listeners.on(port));
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
