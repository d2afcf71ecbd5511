package id.kabar.localstack.chaos;

import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP connection's way between two processes of this machine, and what can befall it. TCP itself
 * loses no byte: what is dropped is sent again, so here it stands still until the wire is whole.
 */
final class Wire implements AutoCloseable {

  /** What befalls the connections, those there are and those to come. */
  enum Condition {
    WHOLE,
    /** Nothing comes through, and nobody is told. */
    DROP,
    /** Everything comes through a second later. */
    DELAY,
    /** Questions come through, answers do not. */
    ONE_WAY,
    /** The called side has forgotten the connections, the caller does not know. */
    HALF_OPEN,
    /** All connections are reset, new ones at once. */
    RESET
  }

  private static final Duration DELAY = Duration.ofSeconds(1);
  private static final int BUFFER = 16 * 1024;
  private static final int CONNECT_MILLIS = 2_000;

  private final ServerSocket door;
  private final int target;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Object change = new Object();
  private Condition condition = Condition.WHOLE;
  private volatile boolean closed;

  private Wire(ServerSocket door, int target) {
    this.door = door;
    this.target = target;
  }

  /** Whoever connects to the wire's port talks to the target, on loopback both. */
  static Wire to(int target) {
    return between(0, target);
  }

  static Wire between(int port, int target) {
    try {
      ServerSocket door = new ServerSocket();
      door.setReuseAddress(true);
      door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      Wire wire = new Wire(door, target);
      Thread.ofVirtual().start(wire::accept);
      return wire;
    } catch (IOException e) {
      throw new ServerFailed("no port for a wire: " + e.getMessage(), e);
    }
  }

  int port() {
    return door.getLocalPort();
  }

  void become(Condition now) {
    Condition before;
    synchronized (change) {
      before = condition;
      condition = now;
      change.notifyAll();
    }
    if (now == Condition.RESET || before == Condition.HALF_OPEN) {
      connections.forEach(Connection::reset);
    } else if (now == Condition.HALF_OPEN) {
      connections.forEach(Connection::forget);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      door.close();
    } catch (IOException e) {
      throw new ServerFailed("a wire's port could not be closed", e);
    }
    connections.forEach(Connection::reset);
    become(Condition.WHOLE);
  }

  private void accept() {
    while (!closed) {
      try {
        Socket caller = door.accept();
        Thread.ofVirtual().start(() -> serve(caller));
      } catch (IOException e) {
        if (!closed) {
          throw new ServerFailed("a wire accepts no more: " + e.getMessage(), e);
        }
      }
    }
  }

  private void serve(Socket caller) {
    Connection connection = new Connection(caller, new Socket());
    connections.add(connection);
    try {
      if (current() == Condition.RESET) {
        return;
      }
      awaitPassage(true);
      caller.setTcpNoDelay(true);
      connection.called.setTcpNoDelay(true);
      connection.called.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), target), CONNECT_MILLIS);
      Thread answers = Thread.ofVirtual().start(() -> pump(connection, false));
      pump(connection, true);
      answers.join();
    } catch (IOException refused) {
      // Nobody is there: the caller sees it by the reset below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connection.reset();
      connections.remove(connection);
    }
  }

  private void pump(Connection connection, boolean question) {
    Socket from = question ? connection.caller : connection.called;
    Socket to = question ? connection.called : connection.caller;
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitPassage(question);
        out.write(buffer, 0, read);
      }
      awaitPassage(question);
      if (connection.forgotten && !question) {
        return; // the caller must not hear of it
      }
      to.shutdownOutput();
    } catch (IOException broken) {
      if (!connection.forgotten) {
        connection.reset();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns when a byte of this direction may go on. */
  private void awaitPassage(boolean question) throws InterruptedException {
    synchronized (change) {
      while (!closed && !passes(question)) {
        change.wait();
      }
      if (condition != Condition.DELAY) {
        return;
      }
    }
    Thread.sleep(DELAY);
  }

  private boolean passes(boolean question) {
    return switch (condition) {
      case WHOLE, DELAY, RESET -> true;
      case DROP, HALF_OPEN -> false;
      case ONE_WAY -> question;
    };
  }

  private Condition current() {
    synchronized (change) {
      return condition;
    }
  }

  private static final class Connection {

    private final Socket caller;
    private final Socket called;
    private volatile boolean forgotten;

    Connection(Socket caller, Socket called) {
      this.caller = caller;
      this.called = called;
    }

    void forget() {
      forgotten = true;
      close(called);
    }

    void reset() {
      try {
        caller.setSoLinger(true, 0); // a reset, not an orderly end
      } catch (IOException closedAlready) {
        return;
      } finally {
        close(called);
        close(caller);
      }
    }

    private static void close(Socket socket) {
      try {
        socket.close();
      } catch (IOException gone) {
        // It is gone, which is what was wanted.
      }
    }
  }
}
