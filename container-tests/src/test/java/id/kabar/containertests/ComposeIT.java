package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import id.kabar.localstack.history.History;
import id.kabar.localstack.history.Verdict;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The stack of compose.yaml keeps Kabar's promises, and is closed where it should be. */
@Order(3)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ComposeIT {

  private static final Duration READY = Duration.ofSeconds(90);

  private Compose stack;
  private Duration untilHealthy;
  private boolean machineWasBusy;

  @BeforeAll
  void up() {
    Docker.assumeItAnswers();
    Docker.buildImages();
    OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
    machineWasBusy = machine.getSystemLoadAverage() > 2 * machine.getAvailableProcessors();
    stack = new Compose();
    untilHealthy = stack.up();
    System.out.printf("container-tests: compose.yaml was healthy after %s%n", untilHealthy);
  }

  @AfterAll
  void down() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void everythingIsHealthyInTime() {
    assumeFalse(machineWasBusy, "others have more than two tasks waiting for each processor");
    assertThat(untilHealthy).isLessThan(READY);
  }

  @Test
  void everyPaymentIsMailedOnceThoughStubRelayAndBrokerAreKilled() {
    int paidBefore = stack.verdict().figures().payments();

    stack.shop().buy(50);
    awaitEverythingMailed(paidBefore + 50);
    stack.kill("email-stub", 1);
    stack.shop().buy(25);
    stack.start("email-stub", 1);

    AtomicInteger paid = new AtomicInteger();
    CompletableFuture<Void> load =
        CompletableFuture.runAsync(
            () -> {
              while (paid.get() < 125) {
                stack.shop().buy();
                paid.incrementAndGet();
              }
            });
    await().until(() -> paid.get() >= 25);
    stack.kill("outbox-relay", 1);
    await().until(() -> paid.get() >= 50);
    stack.start("outbox-relay", 1);
    stack.kill("kafka", 1);
    await().until(() -> paid.get() >= 100);
    stack.start("kafka", 1);
    load.join();

    Verdict verdict = awaitEverythingMailed(paidBefore + 200);
    System.out.println("container-tests: " + verdict);
    stack.up();
  }

  @Test
  void dataSurvivesDownAndUp() {
    stack.shop().buy(5);
    int paid = stack.verdict().figures().payments();
    awaitEverythingMailed(paid);
    History before = stack.history();

    stack.down();
    assertThat(stack.containers()).isEmpty();
    stack.up();

    History after = stack.history();
    assertThat(after.orders()).containsAll(before.orders());
    assertThat(after.events()).containsAll(before.events());
    assertThat(after.records()).containsAll(before.records());
    assertThat(after.processed()).containsAll(before.processed());
    stack.shop().buy(5);
    awaitEverythingMailed(paid + 5);
  }

  @Test
  void relaysScaleOutAndIn() {
    stack.up("--scale", "outbox-relay=4", "--no-recreate");
    assertThat(relays()).hasSize(4);

    stack.up();
    assertThat(relays()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "order-service, orders-db, 5432",
    "outbox-relay, orders-db, 5432",
    "outbox-relay, kafka, 9092",
    "notification-service, notifications-db, 5432",
    "notification-service, kafka, 9092",
    "notification-service, email-stub, 8089",
  })
  void whoNeedsAnotherReachesIt(String from, String server, String port) {
    assertThat(connects(from, server, port)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "order-service, kafka, 9092",
    "order-service, email-stub, 8089",
    "order-service, notifications-db, 5432",
    "outbox-relay, email-stub, 8089",
    "outbox-relay, notifications-db, 5432",
    "notification-service, orders-db, 5432",
    "email-stub, orders-db, 5432",
    "email-stub, kafka, 9092",
  })
  void whoHasNoNeedReachesNobody(String from, String server, String port) {
    assertThat(connects(from, server, port)).isFalse();
    addresses(server).forEach(address -> assertThat(connects(from, address, port)).isFalse());
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service", "email-stub"})
  void processesRunWithoutRightsOnAReadOnlyFileSystem(String service) {
    String container = stack.container(service, 1);
    assertThat(Docker.inspect(container, "{{.Config.User}}")).isEqualTo("10001:10001");
    assertThat(Docker.inspect(container, "{{.HostConfig.ReadonlyRootfs}}")).isEqualTo("true");
    assertThat(Docker.inspect(container, "{{.HostConfig.CapDrop}}")).isEqualTo("[ALL]");
    assertThat(Docker.inspect(container, "{{.HostConfig.SecurityOpt}}"))
        .isEqualTo("[no-new-privileges:true]");
    assertThat(Docker.inspect(container, "{{.HostConfig.Memory}}")).isNotEqualTo("0");
  }

  @Test
  void everythingIsPublishedToThisMachineAlone() {
    assertThat(stack.containers())
        .allSatisfy(
            container ->
                assertThat(Docker.run("port", container).lines())
                    .isNotEmpty()
                    .allMatch(port -> port.contains("-> 127.0.0.1:")));
  }

  @ParameterizedTest
  @CsvSource({
    "orders-db, outbox_relay, orders, select count(*) from orders",
    "orders-db, outbox_relay, orders, create table mine (id int)",
    "orders-db, outbox_relay, postgres, create table mine (id int)",
    "orders-db, order_service, orders, create role another",
    "notifications-db, notification_service, notifications, create database another",
  })
  void databaseRolesMayDoNoMoreThanTheyNeed(
      String server, String role, String database, String sql) {
    Command.Result refused =
        Docker.command(
                "exec",
                stack.container(server, 1),
                "psql",
                "--username=postgres",
                "--dbname=" + database,
                "--command=set role " + role,
                "--command=" + sql)
            .tryToRun();
    assertThat(refused.errors()).contains("permission denied");
  }

  private Verdict awaitEverythingMailed(int payments) {
    AtomicReference<Verdict> latest = new AtomicReference<>();
    await("%,d payments are mailed".formatted(payments))
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions() // while a server is on its way up again
        .untilAsserted(
            () -> {
              stack.replayDeadLetters(); // an outage may outlast the patience with one record
              latest.set(stack.verdict());
              assertThat(latest.get().isSettled()).as(latest.toString()).isTrue();
              assertThat(latest.get().figures().mailed()).isEqualTo(payments);
            });
    return latest.get();
  }

  private Set<String> relays() {
    return stack.containers().stream()
        .filter(name -> name.contains("outbox-relay"))
        .collect(Collectors.toSet());
  }

  /** From another container in its network, because our images have no program to ask with. */
  private boolean connects(String from, String server, String port) {
    return Docker.command(
            "run",
            "--rm",
            "--network=container:" + stack.container(from, 1),
            "--entrypoint=timeout",
            ComposeFile.image("kafka"),
            "2",
            "bash",
            "-c",
            "exec 3<>/dev/tcp/%s/%s".formatted(server, port))
        .tryToRun()
        .succeeded();
  }

  private List<String> addresses(String service) {
    return Docker.inspect(
            stack.container(service, 1),
            "{{range .NetworkSettings.Networks}}{{.IPAddress}}\n{{end}}")
        .lines()
        .filter(line -> !line.isBlank())
        .toList();
  }
}
