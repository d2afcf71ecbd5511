package id.kabar.localstack;

import id.kabar.localstack.servers.KafkaServer;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** How each process of a stack is started, and how it finds the others. */
final class Blueprint {

  private final StackFolder folder;
  private final PortPlan ports;
  private final Checkout checkout;
  private final Map<Service, List<Function<InstanceName, Map<String, String>>>> extra =
      new EnumMap<>(Service.class);
  private final List<KafkaServer.Door> doors = new ArrayList<>();

  Blueprint(StackFolder folder, PortPlan ports, Checkout checkout) {
    this.folder = folder;
    this.ports = ports;
    this.checkout = checkout;
  }

  /** One more environment variable for all instances of a service. */
  void set(Service service, String variable, String value) {
    setEach(service, _ -> Map.of(variable, value));
  }

  /** More environment variables, which differ from instance to instance. */
  void setEach(Service service, Function<InstanceName, Map<String, String>> variables) {
    extra.computeIfAbsent(service, _ -> new ArrayList<>()).add(variables);
  }

  /** One more listener of the broker. */
  void open(KafkaServer.Door door) {
    doors.add(door);
  }

  ServerProcess build(InstanceName name) {
    List<Integer> own = ports.of(name);
    Path log = folder.log(name);
    return switch (name.service()) {
      case POSTGRES ->
          new PostgresServer(
              folder.postgres(), own.getFirst(), log, Map.of(), environment(name, Map.of()));
      case KAFKA -> new KafkaServer(folder.kafka(), own.getFirst(), own.getLast(), log, doors);
      case EMAIL_STUB -> emailStub(name, own, log);
      case ORDER_SERVICE, OUTBOX_RELAY, NOTIFICATION_SERVICE -> service(name, own, log);
    };
  }

  URI url(InstanceName name) {
    return URI.create("http://localhost:" + ports.of(name).getFirst());
  }

  /** Where health, metrics and operator actions are. */
  URI management(InstanceName name) {
    return URI.create("http://localhost:" + ports.of(name).getLast());
  }

  String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port(Service.POSTGRES), database);
  }

  String bootstrapServers() {
    return "localhost:" + port(Service.KAFKA);
  }

  int port(Service service) {
    return ports.of(service.number(1)).getFirst();
  }

  private ServerProcess emailStub(InstanceName name, List<Integer> own, Path log) {
    List<String> arguments = List.of("--port", own.getFirst().toString());
    return new AppServer(
        name,
        own,
        log,
        () -> checkout.app(name.service()).jarCommand("128m"),
        url(name).resolve("/__admin/health"),
        new AppServer.Wiring(environment(name, Map.of()), arguments));
  }

  private ServerProcess service(InstanceName name, List<Integer> own, Path log) {
    return new AppServer(
        name,
        own,
        log,
        () -> checkout.app(name.service()).extractedCommand("256m"),
        management(name).resolve("/actuator/health/readiness"),
        new AppServer.Wiring(environment(name, wiring(name, own)), List.of()));
  }

  private Map<String, String> wiring(InstanceName name, List<Integer> own) {
    Map<String, String> environment = new HashMap<>();
    // What runs on somebody's own machine listens to that machine alone.
    environment.put("SERVER_ADDRESS", "127.0.0.1");
    environment.put("SERVER_PORT", own.getFirst().toString());
    environment.put("OPERATOR_PASSWORD", folder.operatorPassword());
    switch (name.service()) {
      case ORDER_SERVICE -> {
        environment.put("MANAGEMENT_SERVER_ADDRESS", "127.0.0.1");
        environment.put("MANAGEMENT_SERVER_PORT", own.getLast().toString());
        connect(environment, "orders", "order_service");
      }
      case OUTBOX_RELAY -> {
        connect(environment, "orders", "outbox_relay");
        environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", bootstrapServers());
      }
      case NOTIFICATION_SERVICE -> {
        connect(environment, "notifications", "notification_service");
        environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", bootstrapServers());
        environment.put("EMAIL_URL", url(Service.EMAIL_STUB.number(1)).toString());
      }
      case POSTGRES, KAFKA, EMAIL_STUB -> throw new IllegalArgumentException(name.toString());
    }
    return environment;
  }

  private void connect(Map<String, String> environment, String database, String role) {
    environment.put("SPRING_DATASOURCE_URL", jdbcUrl(database));
    environment.put("SPRING_DATASOURCE_USERNAME", role);
    environment.put("SPRING_DATASOURCE_PASSWORD", role);
  }

  private Map<String, String> environment(InstanceName name, Map<String, String> wiring) {
    Map<String, String> environment = new HashMap<>(wiring);
    extra
        .getOrDefault(name.service(), List.of())
        .forEach(variables -> environment.putAll(variables.apply(name)));
    return environment;
  }
}
