package id.kabar.localstack.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
      log.dirs=${data}
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

  private final Path home;
  private final int port;
  private final int controllerPort;
  private volatile long logBefore;

  /**
   * @param home a folder of its own; formatted at the first start and kept
   * @param controllerPort a second port, which only the broker itself uses
   * @param log where its output is appended
   */
  public KafkaServer(Path home, int port, int controllerPort, Path log) {
    super("Kafka", List.of(port, controllerPort), log);
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
    Files.writeString(
        configuration(),
        CONFIGURATION
            .replace("${port}", Integer.toString(port))
            .replace("${controller}", Integer.toString(controllerPort))
            .replace("${data}", home.resolve("data").toString()));
    logBefore = Files.exists(log()) ? Files.size(log()) : 0;
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
        "-cp",
        Java.classPath(),
        KafkaMain.class.getName(),
        configuration().toString());
  }

  // The broker says so itself, in the log of our own process: an answer on the port might be
  // somebody else's.
  @Override
  protected boolean isReady(OsProcess process) {
    return LogTail.textFrom(log(), logBefore).contains(STARTED) && Ports.answers(port);
  }

  private Path configuration() {
    return home.resolve("server.properties");
  }
}
