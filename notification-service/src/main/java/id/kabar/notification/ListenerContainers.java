package id.kabar.notification;

import id.kabar.notification.deadletter.DeadLetterSettings;
import java.time.Duration;
import java.util.OptionalLong;
import org.springframework.boot.kafka.autoconfigure.ConcurrentKafkaListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties;

/** How the two topics are listened to. Neither listener ever skips a record. */
@Configuration(proxyBeanMethods = false)
class ListenerContainers {

  /** More than giving partitions back takes. */
  private static final Duration LONGEST_STOP = RecordsInHand.LONGEST_GIVING_BACK.plusSeconds(1);

  private static final Duration LONGEST_COMMIT = Duration.ofSeconds(10);

  /** What was finished meanwhile is committed between two polls. */
  private static final Duration LONGEST_POLL = Duration.ofMillis(250);

  @Bean
  ConcurrentKafkaListenerContainerFactory<Object, Object> orderPaidListeners(
      ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
      ConsumerFactory<Object, Object> consumers,
      ListenerSettings settings,
      RecordsInHand inHand) {
    // the listener only takes records in hand; should even that fail, they come again
    var factory = factory(configurer, consumers, new ComeAgain(settings.backoff(), inHand::next));
    var container = factory.getContainerProperties();
    container.setAckMode(ContainerProperties.AckMode.MANUAL);
    container.setPollTimeout(LONGEST_POLL.toMillis());
    container.setConsumerRebalanceListener(inHand);
    return factory;
  }

  /** Comes again for ever: only the database can hold a dead letter up, and none may be lost. */
  @Bean
  ConcurrentKafkaListenerContainerFactory<Object, Object> deadLetterListeners(
      ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
      ConsumerFactory<Object, Object> consumers,
      DeadLetterSettings settings,
      ListenerProgress progress) {
    var factory =
        factory(
            configurer, consumers, new ComeAgain(settings.pause(), (_, _) -> OptionalLong.empty()));
    factory.setRecordInterceptor(progress);
    factory.getContainerProperties().setConsumerRebalanceListener(progress);
    return factory;
  }

  private static ConcurrentKafkaListenerContainerFactory<Object, Object> factory(
      ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
      ConsumerFactory<Object, Object> consumers,
      ComeAgain handler) {
    var factory = new ConcurrentKafkaListenerContainerFactory<Object, Object>();
    configurer.configure(factory, consumers);
    factory.setCommonErrorHandler(handler);
    factory.getContainerProperties().setShutdownTimeout(LONGEST_STOP.toMillis());
    factory.getContainerProperties().setSyncCommitTimeout(LONGEST_COMMIT);
    return factory;
  }
}
