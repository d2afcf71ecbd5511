package id.kabar.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.localstack.history.Figures;
import id.kabar.localstack.history.History.Delivery;
import id.kabar.localstack.history.History.TopicRecord;
import id.kabar.localstack.history.HistoryCheck;
import id.kabar.localstack.history.HistoryReader;
import id.kabar.localstack.history.Sources;
import id.kabar.localstack.history.Verdict;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.ServerProcess;
import id.kabar.systemtests.Operator.Letter;
import id.kabar.systemtests.Shop.Purchase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.core.ConditionFactory;
import tools.jackson.databind.JsonNode;

/** A running stack in the hands of a test: it buys, breaks, waits and asks what became of it. */
final class Kabar implements AutoCloseable {

  static final String POSTGRES = "postgres";
  static final String KAFKA = "kafka";
  static final String PROVIDER = "email-stub";
  static final String ORDER_SERVICE = "order-service";
  static final String RELAY = "outbox-relay";
  static final String NOTIFICATION = "notification-service";

  /** What a stack has when nothing was changed about it. */
  private static final int RELAYS = 2;

  private static final int CONSUMERS = 1;

  private final LocalStack stack;
  private final Shop shop;
  private final Provider provider;
  private final Operator operator;
  private final Databases databases;
  private final Broker broker;
  private final HistoryReader history;
  private final List<Delivery> earlierInboxes = new ArrayList<>();

  /**
   * @param stack a started one
   */
  Kabar(LocalStack stack) {
    this.stack = stack;
    this.shop = new Shop(stack.orders().toString());
    this.provider = new Provider(stack.emailStub().toString());
    this.operator =
        new Operator(stack.management(NOTIFICATION).toString(), stack.operatorPassword());
    PostgresServer postgres = (PostgresServer) stack.instance(POSTGRES);
    Sources sources =
        new Sources(
            postgres.jdbcUrl("orders"),
            postgres.jdbcUrl("notifications"),
            PostgresServer.SUPERUSER,
            postgres.superuserPassword(),
            stack.bootstrapServers(),
            stack.emailStub().toString());
    this.databases = new Databases(sources);
    this.broker = new Broker(stack.bootstrapServers());
    this.history = new HistoryReader(sources);
  }

  LocalStack stack() {
    return stack;
  }

  Shop shop() {
    return shop;
  }

  Provider provider() {
    return provider;
  }

  Operator operator() {
    return operator;
  }

  Databases databases() {
    return databases;
  }

  Broker broker() {
    return broker;
  }

  // What a test does to the processes

  void start(String instance) {
    stack.start(instance);
  }

  void kill(String instance) {
    ServerProcess victim = stack.instance(instance);
    if (instance.equals(PROVIDER) && victim.isAlive()) {
      earlierInboxes.addAll(history.inbox()); // the stub's memory dies with it
    }
    victim.kill();
  }

  /** SIGTERM; returns how long the process took to end. */
  Duration stop(String instance) {
    long begun = System.nanoTime();
    stack.instance(instance).stop();
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  void freeze(String instance) {
    stack.instance(instance).freeze();
  }

  void thaw(String instance) {
    stack.instance(instance).thaw();
  }

  void scale(String service, int instances) {
    stack.scale(Service.named(service), instances);
  }

  /** Everything runs again, as many as there were, and the provider works. */
  void heal() {
    stack.instances().values().forEach(ServerProcess::thaw);
    for (Service service : Service.values()) {
      stack.start(service.label());
    }
    scale(RELAY, RELAYS);
    scale(NOTIFICATION, CONSUMERS);
    provider.works();
  }

  // What a test waits for

  /** The id of the event of a payment. */
  String eventOf(Purchase purchase) {
    return patiently("the payment's event")
        .until(() -> databases.eventOf(purchase.orderId()), Optional::isPresent)
        .orElseThrow();
  }

  void awaitEmail(String event) {
    patiently("the email of event " + event).until(() -> provider.accepted(event) > 0);
  }

  void awaitState(String event, String state) {
    patiently("event %s is %s".formatted(event, state))
        .until(() -> databases.stateOf(event), Optional.of(state)::equals);
  }

  List<TopicRecord> recordsOf(Purchase purchase) {
    return broker.recordsOf(eventOf(purchase));
  }

  void awaitRecords(Purchase purchase, int count) {
    patiently("%d records of order %s".formatted(count, purchase.orderId()))
        .until(() -> recordsOf(purchase).size() == count);
  }

  Letter awaitLetter(Purchase purchase) {
    return awaitLetter(purchase, _ -> true);
  }

  void awaitResolved(Purchase purchase) {
    awaitLetter(purchase, letter -> letter.state().equals("RESOLVED"));
  }

  private Letter awaitLetter(Purchase purchase, Predicate<Letter> expected) {
    return patiently("the dead letter of order " + purchase.orderId())
        .until(
            () -> operator.letterOf(purchase.orderId()),
            letter -> letter.filter(expected).isPresent())
        .orElseThrow();
  }

  /** An operator asks until the consumers believe in the provider again. */
  void replay(Letter letter) {
    patiently("the letter is replayed").until(() -> operator.replays(letter));
  }

  /** An operator has a relay publish an order's events again, from the archive. */
  void publishAgain(Purchase purchase) {
    String url = stack.management(RELAY) + "/outbox/replays";
    String order =
        Http.JSON.writeValueAsString(
            Map.of("aggregateId", purchase.orderId(), "reason", "a reader lost it"));
    JsonNode replay =
        Http.send(
                "POST",
                url,
                order,
                "Authorization",
                Operator.authorization(stack.operatorPassword()))
            .expect(200)
            .json();
    assertThat(replay.required("events").asInt()).isEqualTo(1);
  }

  void replayAll() {
    patiently("all letters are replayed").until(operator::replaysAll);
  }

  void awaitPaid(Load load, int count) {
    patiently(count + " orders are paid").until(() -> load.paid() >= count);
  }

  /** Everything that may be published is. */
  void awaitPublished() {
    patiently("the outbox is empty").until(() -> databases.unpublished() == 0);
  }

  /** {@link #awaitPublished()}, and consumers have nothing left to read or to finish. */
  void awaitConsumed() {
    awaitPublished();
    patiently("the consumers have read all").until(() -> broker.lag() == 0);
    patiently("no email is under way").until(() -> databases.unfinished() == 0);
  }

  void awaitHealthy(String instance) {
    patiently(instance + " is healthy").until(() -> isHealthy(instance));
  }

  boolean isHealthy(String instance) {
    return Http.get(stack.management(instance) + "/actuator/health").status() == 200;
  }

  boolean isLive(String instance) {
    return Http.get(stack.management(instance) + "/actuator/health/liveness").status() == 200;
  }

  boolean isReady(String instance) {
    return Http.get(stack.management(instance) + "/actuator/health/readiness").status() == 200;
  }

  /** The largest value of a metric, over its tags; -1 if there is none. */
  double metric(String instance, String name) {
    return Http.get(stack.management(instance) + "/actuator/prometheus")
        .expect(200)
        .text()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .max()
        .orElse(-1);
  }

  static ConditionFactory patiently(String what) {
    return await(what).atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(100));
  }

  // What became of it

  Figures figures() {
    return judge().figures();
  }

  Verdict judge() {
    return HistoryCheck.judge(history.read(earlierInboxes));
  }

  /** The end of every test: once healed, all is done, all was right, and nobody told an address. */
  Verdict settle() {
    heal();
    awaitConsumed();
    Verdict verdict = judge();
    assertThat(verdict.violations()).as("%s", verdict).isEmpty();
    assertThat(verdict.figures().pending()).as("%s", verdict).isZero();
    assertThat(verdict.figures().sending()).as("%s", verdict).isZero();
    requireDiscretion();
    return verdict;
  }

  /** An address is for the email and the event's payload, and for nothing else. */
  private void requireDiscretion() {
    assertThat(new Logs(stack.home()).linesWith(Shop.CUSTOMERS)).isEmpty();
    assertThat(broker.headersThatTell(Shop.CUSTOMERS)).isEmpty();
    assertThat(databases.deadLettersThatTell(Shop.CUSTOMERS)).isZero();
  }

  /** After a test that failed: the ends of all logs, and the verdict as far as there can be one. */
  String postMortem() {
    String tails = new Logs(stack.home()).tails();
    try {
      heal();
      return tails + judge();
    } catch (RuntimeException e) {
      return tails + "No verdict: " + e;
    }
  }

  @Override
  public void close() {
    try (stack) {
      broker.close();
    }
  }
}
