package id.kabar.testservers;

import id.kabar.localstack.servers.KafkaServer;
import id.kabar.localstack.servers.Ports;

final class EmbeddedKafka implements KafkaBackend {

  private final KafkaServer server =
      Embedded.started(
          "kafka",
          home -> new KafkaServer(home, Ports.free(), Ports.free(), home.resolve("kafka.log")));

  @Override
  public String bootstrapServers() {
    return server.bootstrapServers();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void stop() {
    server.stop();
  }
}
