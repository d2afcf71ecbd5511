package id.kabar.testservers;

/** Where the Kafka of the tests runs. Stopping and starting keeps the port and the data. */
sealed interface KafkaBackend permits EmbeddedKafka, ContainerKafka {

  String bootstrapServers();

  void start();

  void stop();
}
