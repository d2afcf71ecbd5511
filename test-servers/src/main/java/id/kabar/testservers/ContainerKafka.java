package id.kabar.testservers;

import static org.awaitility.Awaitility.await;

import id.kabar.localstack.servers.Ports;
import java.time.Duration;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

final class ContainerKafka implements KafkaBackend {

  static final String IMAGE = "apache/kafka:4.2.1";
  private static final int PORT_INSIDE = 9092;

  private final KafkaContainer container =
      new KafkaContainer(IMAGE)
          .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
          .withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0");

  ContainerKafka() {
    // A port of our own choice stays the same over a restart.
    container.setPortBindings(List.of("%d:%d".formatted(Ports.free(), PORT_INSIDE)));
    container.start();
  }

  @Override
  public String bootstrapServers() {
    return container.getBootstrapServers();
  }

  @Override
  public void start() {
    DockerClientFactory.lazyClient().startContainerCmd(container.getContainerId()).exec();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> TestKafka.answers(container.getBootstrapServers()));
  }

  @Override
  public void stop() {
    DockerClientFactory.lazyClient().stopContainerCmd(container.getContainerId()).exec();
  }
}
