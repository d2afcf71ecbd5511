package id.kabar.testservers;

import org.testcontainers.kafka.KafkaContainer;

/**
 * The shared broker, for {@code @ServiceConnection}. Its life is that of the JVM: Spring Boot
 * closes the container of a context that ends, whatever its bean's destroy method. The next context
 * would find an empty broker on the same port, which hands out producer ids from the first on again
 * and takes the records of one producer for repeats of an older one's.
 */
class ContainerOfBroker extends KafkaContainer {

  private final String bootstrapServers;

  ContainerOfBroker(String bootstrapServers) {
    super(ContainerKafka.IMAGE);
    this.bootstrapServers = bootstrapServers;
  }

  @Override
  public String getBootstrapServers() {
    return bootstrapServers;
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public boolean isRunning() {
    return true;
  }
}
