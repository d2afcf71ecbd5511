package id.kabar.testservers;

import java.util.List;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.testcontainers.kafka.KafkaContainer;

/** The JVM's Kafka broker. */
@TestConfiguration(proxyBeanMethods = false)
public class KafkaBroker {

  @Bean
  @Conditional(ContainersRun.Not.class)
  KafkaConnectionDetails kafkaDetails() {
    String bootstrapServers = TestKafka.shared().bootstrapServers();
    return () -> List.of(bootstrapServers);
  }

  @Bean
  @ServiceConnection
  @Conditional(ContainersRun.class)
  KafkaContainer kafkaContainer() {
    return new ContainerOfBroker(TestKafka.shared().bootstrapServers());
  }
}
