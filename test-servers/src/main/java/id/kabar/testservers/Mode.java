package id.kabar.testservers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether tests get containers or embedded servers, decided once per JVM, and why. */
enum Mode {
  EMBEDDED("a process of its own"),
  CONTAINERS("a container");

  static final String PROPERTY = "kabar.test-servers";

  private final String what;

  Mode(String what) {
    this.what = what;
  }

  record Decision(Mode mode, String reason) {

    String announce(String server, String address) {
      return "test-servers: %s is %s at %s (%s)".formatted(server, mode.what, address, reason);
    }
  }

  private static final Decision DECISION =
      decide(System.getProperty(PROPERTY), Mode::dockerAnswers);

  static Decision decision() {
    return DECISION;
  }

  static Mode current() {
    return DECISION.mode;
  }

  static Decision decide(
      @Nullable String wanted, java.util.function.BooleanSupplier dockerAnswers) {
    if (wanted != null && !wanted.isBlank()) {
      String reason = "-D%s=%s".formatted(PROPERTY, wanted);
      return switch (wanted) {
        case "embedded" -> new Decision(EMBEDDED, reason);
        case "containers" -> new Decision(CONTAINERS, reason);
        default ->
            throw new IllegalArgumentException(
                "-D%s=%s is unknown: say embedded or containers".formatted(PROPERTY, wanted));
      };
    }
    return dockerAnswers.getAsBoolean()
        ? new Decision(
            CONTAINERS, "a Docker engine answers; -D%s=embedded avoids it".formatted(PROPERTY))
        : new Decision(EMBEDDED, "no Docker engine answers");
  }

  /** A cheap look, because Testcontainers searches long and loudly where there is no engine. */
  private static boolean dockerAnswers() {
    return addresses().stream().anyMatch(Mode::accepts);
  }

  private static List<SocketAddress> addresses() {
    List<SocketAddress> addresses = new ArrayList<>();
    String host = System.getenv("DOCKER_HOST");
    if (host != null && host.startsWith("tcp://")) {
      URI uri = URI.create(host);
      addresses.add(new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? 2375 : uri.getPort()));
    } else if (host != null && host.startsWith("unix://")) {
      addresses.add(UnixDomainSocketAddress.of(host.substring("unix://".length())));
    } else {
      String home = System.getProperty("user.home");
      addresses.add(UnixDomainSocketAddress.of("/var/run/docker.sock"));
      addresses.add(UnixDomainSocketAddress.of(Path.of(home, ".docker", "run", "docker.sock")));
      String runtime = System.getenv("XDG_RUNTIME_DIR");
      if (runtime != null) {
        addresses.add(UnixDomainSocketAddress.of(Path.of(runtime, "docker.sock")));
      }
    }
    return addresses;
  }

  private static boolean accepts(SocketAddress address) {
    try (SocketChannel channel =
        address instanceof UnixDomainSocketAddress
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open()) {
      return channel.connect(address);
    } catch (IOException e) {
      return false;
    }
  }
}
