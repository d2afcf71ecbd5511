package id.kabar.relay;

import static org.awaitility.Awaitility.await;

import id.kabar.testservers.TestKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The relay as a real process of its own, to be killed and frozen. */
final class RelayProcess implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(2);

  private final Process process;
  private final Path log;
  private final int port;

  private RelayProcess(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /** Returns when it relays. */
  static RelayProcess start(GivenOutbox outbox, String... settings) {
    RelayProcess relay = launch(outbox, settings);
    await("start of the relay, see " + relay.log)
        .atMost(START)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> relay.logged("Relaying with"));
    return relay;
  }

  /**
   * @param settings as properties, or as variables of the environment
   */
  static RelayProcess launch(GivenOutbox outbox, String... settings) {
    try {
      int port = freePort();
      Path log =
          Files.createTempFile(Files.createDirectories(Path.of("target/relays")), "relay", ".log");
      List<String> command = new ArrayList<>();
      command.add(ProcessHandle.current().info().command().orElseThrow());
      command.addAll(
          List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(OutboxRelayApplication.class.getName());
      Map<String, String> environment = new HashMap<>();
      for (String setting : settings) {
        if (setting.matches("[A-Z_]+=.*")) {
          environment.put(setting.split("=", 2)[0], setting.split("=", 2)[1]);
        } else {
          command.add("--" + setting);
        }
      }
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder
          .environment()
          .putAll(
              Map.of(
                  "SERVER_PORT", Integer.toString(port),
                  "SPRING_DATASOURCE_URL", outbox.relay().jdbcUrl(),
                  "SPRING_DATASOURCE_USERNAME", outbox.relay().user(),
                  "SPRING_DATASOURCE_PASSWORD", outbox.relay().password(),
                  "SPRING_KAFKA_BOOTSTRAP_SERVERS", TestKafka.shared().bootstrapServers(),
                  "OPERATOR_PASSWORD", "secret"));
      builder.environment().putAll(environment);
      return new RelayProcess(builder.start(), log, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean logged(String text) {
    try {
      if (!process.isAlive()) {
        throw new IllegalStateException("The relay ended:\n" + Files.readString(log));
      }
      return Files.readString(log).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
    waitForEnd(Duration.ofSeconds(10));
  }

  /** SIGTERM; returns how long the end took. */
  Duration terminate(Duration longest) {
    long start = System.nanoTime();
    process.destroy();
    waitForEnd(longest);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** SIGSTOP. */
  void freeze() {
    signal("-STOP");
  }

  /** SIGCONT. */
  void thaw() {
    signal("-CONT");
  }

  boolean isAlive() {
    return process.isAlive();
  }

  HttpResponse<String> get(String path, String... headers) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
              .timeout(Duration.ofSeconds(10));
      if (headers.length > 0) {
        request.headers(headers);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> post(String path, String body, String... headers) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
              .timeout(Duration.ofSeconds(10))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body));
      if (headers.length > 0) {
        request.headers(headers);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void waitForEnd(Duration longest) {
    try {
      if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("The relay did not end within " + longest + ":\n" + log());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      thaw();
      kill();
    }
  }
}
