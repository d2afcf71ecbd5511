package id.kabar.containertests;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.history.History;
import id.kabar.localstack.history.HistoryCheck;
import id.kabar.localstack.history.HistoryReader;
import id.kabar.localstack.history.Sources;
import id.kabar.localstack.history.Verdict;
import id.kabar.localstack.servers.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The stack of compose.yaml, as a project of its own with ports of its own, so that it does not
 * meet one that is running already. Closing it forgets its data.
 */
final class Compose implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final String project =
      "kabar-test-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  private final Map<String, String> environment = new TreeMap<>();
  private final List<History.Delivery> earlierInboxes = new ArrayList<>();
  private final Thread cleanUp = new Thread(this::removeEverything);

  Compose() {
    environment.putAll(ComposeFile.variables());
    environment.replaceAll((name, value) -> name.endsWith("_PORT") ? "" + Ports.free() : value);
    Runtime.getRuntime().addShutdownHook(cleanUp);
  }

  /** Starts what is not running and waits until all of it is healthy; the time that took. */
  Duration up(String... options) {
    long begin = System.nanoTime();
    run(List.of("up", "--detach", "--wait", "--wait-timeout", "180"), options);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /** Removes the containers and keeps their data. */
  void down() {
    rememberInbox();
    run(List.of("down"));
  }

  /** Kills a container at once; what it has in memory is gone. */
  void kill(String service, int index) {
    if (service.equals("email-stub")) {
      rememberInbox();
    }
    Docker.run("kill", container(service, index));
  }

  void start(String service, int index) {
    Docker.run("start", container(service, index));
  }

  String container(String service, int index) {
    return "%s-%s-%d".formatted(project, service, index);
  }

  List<String> containers() {
    return run(List.of("ps", "--all", "--format", "{{.Name}}")).lines().toList();
  }

  String run(List<String> command, String... options) {
    List<String> line = new ArrayList<>(List.of("docker", "compose", "--project-name", project));
    line.addAll(command);
    line.addAll(List.of(options));
    return Command.of(line).with(environment).within(PATIENCE).run();
  }

  Shop shop() {
    return new Shop(local("ORDER_SERVICE_PORT"));
  }

  /** What failed for too long is sent again, as an operator would ask for it. */
  void replayDeadLetters() {
    String operator = "operator:" + environment("OPERATOR_PASSWORD");
    String authorization = "Basic " + Base64.getEncoder().encodeToString(operator.getBytes(UTF_8));
    try {
      Http.send(
          "POST",
          local("NOTIFICATION_SERVICE_PORT") + "/dead-letters/replay",
          "{}",
          "Authorization",
          authorization);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String emailStub() {
    return local("EMAIL_STUB_PORT");
  }

  private String local(String port) {
    return "http://localhost:" + environment(port);
  }

  private String environment(String name) {
    return Objects.requireNonNull(environment.get(name), name);
  }

  /** Everything all parties have to say, judged by the promises. */
  Verdict verdict() {
    return HistoryCheck.judge(history());
  }

  History history() {
    return reader().read(earlierInboxes);
  }

  /** The stub keeps its inbox in memory. */
  private void rememberInbox() {
    earlierInboxes.addAll(reader().inbox());
  }

  private HistoryReader reader() {
    return new HistoryReader(
        new Sources(
            "jdbc:postgresql://localhost:%s/orders".formatted(environment("ORDERS_DB_PORT")),
            "jdbc:postgresql://localhost:%s/notifications"
                .formatted(environment("NOTIFICATIONS_DB_PORT")),
            "postgres",
            environment("POSTGRES_PASSWORD"),
            "localhost:" + environment("KAFKA_PORT"),
            emailStub()));
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(cleanUp);
    removeEverything();
  }

  private void removeEverything() {
    run(List.of("down", "--volumes", "--timeout", "5"));
  }
}
