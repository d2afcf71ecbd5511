package id.kabar.benchmarks.namastack;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** An application that does nothing but relay. */
@SpringBootApplication(proxyBeanMethods = false)
public class NamastackRelay {

  // What its own performance tests use (batches of 1,000 keys, virtual threads), with a shorter
  // poll, deletion instead of marking, and as many handlers at once as there are connections.
  private static final Map<String, Object> PROFILE =
      Map.ofEntries(
          Map.entry("spring.main.web-application-type", "none"),
          Map.entry("spring.main.keep-alive", "true"),
          Map.entry("spring.main.banner-mode", "off"),
          Map.entry("spring.threads.virtual.enabled", "true"),
          Map.entry("spring.datasource.hikari.maximum-pool-size", "16"),
          Map.entry("namastack.outbox.polling.batch-size", "1000"),
          Map.entry("namastack.outbox.polling.trigger", "fixed"),
          Map.entry("namastack.outbox.polling.fixed.interval", "10ms"),
          Map.entry("namastack.outbox.processing.delete-completed-records", "true"),
          Map.entry("namastack.outbox.processing.executor-concurrency-limit", "16"),
          Map.entry("namastack.outbox.processing.publish-after-save", "false"),
          Map.entry("namastack.outbox.instance.rebalance-interval", "1s"));

  public static void main(String[] args) {
    SpringApplication application = new SpringApplication(NamastackRelay.class);
    application.setDefaultProperties(PROFILE);
    application.run(args);
    System.out.println("Namastack relays");
  }

  @Bean
  Producer<String, byte[]> producer(Environment environment) {
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            environment.getRequiredProperty("KAFKA"),
            ProducerConfig.LINGER_MS_CONFIG,
            0);
    return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }

  @Bean
  Handler handler(Producer<String, byte[]> producer, Environment environment) {
    return new Handler(producer, environment.getRequiredProperty("TOPIC"));
  }
}
