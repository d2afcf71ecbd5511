package id.kabar.localstack.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A Kafka broker on loopback: one node, its own controller. Topics are never created by accident.
 */
public final class KafkaServer extends ServerProcess {

  private static final String CONFIGURATION =
      """
      process.roles=broker,controller
      node.id=1
      listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}
      advertised.listeners=PLAINTEXT://127.0.0.1:${port}
      controller.listener.names=CONTROLLER
      controller.quorum.voters=1@127.0.0.1:${controller}
      auto.create.topics.enable=false
      offsets.topic.replication.factor=1
      offsets.topic.num.partitions=8
      transaction.state.log.replication.factor=1
      transaction.state.log.min.isr=1
      transaction.state.log.num.partitions=4
      share.coordinator.state.topic.replication.factor=1
      share.coordinator.state.topic.min.isr=1
      group.initial.rebalance.delay.ms=0
      log.retention.hours=168
      # Back in 6 s instead of 13 after a kill: the controller forgets the broker's former life sooner
      broker.session.timeout.ms=2000
      broker.heartbeat.interval.ms=500
      num.network.threads=2
      num.io.threads=4
      # 128 MB by default, half of the heap
      log.cleaner.dedupe.buffer.size=8388608
      """;

  private static final String STARTED = "Kafka Server started";

  private static final long STARTED_ELSEWHERE = -1;

  private static final String DOORS =
      """
      listener.security.protocol.map=${protocols}
      inter.broker.listener.name=PLAINTEXT
      """;

  private final Path home;
  private final int port;
  private final int controllerPort;
  private final List<Door> doors;
  private volatile long logBefore = STARTED_ELSEWHERE;

  /**
   * One more listener, for clients that shall reach the broker through something in between.
   *
   * @param port where the broker listens
   * @param advertised where it tells those clients to go
   */
  public record Door(int port, int advertised) {

    private String name() {
      return "DOOR_" + port;
    }
  }

  /**
   * A broker that is not started yet.
   *
   * @param home a folder of its own; formatted at the first start and kept
   * @param controllerPort a second port, which only the broker itself uses
   * @param log where its output is appended
   */
  public KafkaServer(Path home, int port, int controllerPort, Path log) {
    this(home, port, controllerPort, log, List.of());
  }

  public KafkaServer(Path home, int port, int controllerPort, Path log, List<Door> doors) {
    super("kafka", List.of(port, controllerPort), log);
    this.doors = List.copyOf(doors);
    this.home = home.toAbsolutePath();
    this.port = port;
    this.controllerPort = controllerPort;
  }

  public int port() {
    return port;
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  @Override
  protected void prepare() throws IOException {
    Files.createDirectories(home.resolve("data"));
    Properties configuration = new Properties();
    configuration.load(
        new StringReader(
            CONFIGURATION
                .replace("${port}", Integer.toString(port))
                .replace("${controller}", Integer.toString(controllerPort))));
    configuration.setProperty("log.dirs", home.resolve("data").toString());
    if (!doors.isEmpty()) {
      open(configuration);
    }
    try (OutputStream out = Files.newOutputStream(configuration())) {
      configuration.store(out, "Written at each start of the broker");
    }
    logBefore = Files.exists(log()) ? Files.size(log()) : 0;
  }

  private void open(Properties configuration) throws IOException {
    StringBuilder protocols = new StringBuilder("PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    for (Door door : doors) {
      protocols.append(",%s:PLAINTEXT".formatted(door.name()));
      configuration.merge(
          "listeners",
          ",%s://127.0.0.1:%d".formatted(door.name(), door.port()),
          KafkaServer::joined);
      configuration.merge(
          "advertised.listeners",
          ",%s://127.0.0.1:%d".formatted(door.name(), door.advertised()),
          KafkaServer::joined);
    }
    configuration.load(new StringReader(DOORS.replace("${protocols}", protocols)));
  }

  private static Object joined(Object before, Object more) {
    return before.toString() + more;
  }

  @Override
  protected List<String> command() {
    return List.of(
        Java.executable(),
        "-Xms64m",
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        "-Dlogback.configurationFile=id/kabar/localstack/servers/kafka-logback.xml",
        KafkaMain.class.getName(),
        configuration().toString());
  }

  // Not an argument: it is long, and nobody wants to see it in the process table.
  @Override
  protected Map<String, String> environment() {
    return Map.of("CLASSPATH", Java.classPath());
  }

  // An open port is not yet a serving broker: it says itself when it has started.
  @Override
  protected boolean isReady(OsProcess process) {
    boolean started =
        logBefore == STARTED_ELSEWHERE || LogTail.textFrom(log(), logBefore).contains(STARTED);
    return started && Ports.isHeldBy(process, port);
  }

  private Path configuration() {
    return home.resolve("server.properties");
  }
}
