package id.kabar.notification;

import id.kabar.notification.deadletter.DeadLetterPublisher;
import id.kabar.notification.deadletter.DeadLetterSettings;
import id.kabar.notification.deadletter.Undelivered;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.ConcurrentKafkaListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.RetryListener;
import org.springframework.util.backoff.FixedBackOff;

/**
 * How failed records come again. The handlers seek: after every failure the consumer polls, so a
 * record that needs many deliveries never costs it its membership.
 */
@Configuration(proxyBeanMethods = false)
class ListenerContainers {

  /**
   * Leaves time for one provider call to end; what is not finished then is a claim that expires.
   */
  private static final long LONGEST_STOP_MILLIS = 8_000;

  private static final Duration LONGEST_COMMIT = Duration.ofSeconds(10);

  @Bean
  ConcurrentKafkaListenerContainerFactory<Object, Object> orderPaidListeners(
      ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
      ConsumerFactory<Object, Object> consumers,
      DeadLetterPublisher deadLetters,
      ListenerSettings settings,
      ListenerProgress progress) {
    var handler =
        new DefaultErrorHandler(
            deadLetters, new FixedBackOff(settings.backoff().toMillis(), settings.redeliveries()));
    handler.addNotRetryableExceptions(Undelivered.ForGood.class);
    handler.setRetryListeners(new TellsProgress(progress));
    return factory(configurer, consumers, handler, progress);
  }

  /** Comes again for ever: only the database can hold a dead letter up, and none may be lost. */
  @Bean
  ConcurrentKafkaListenerContainerFactory<Object, Object> deadLetterListeners(
      ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
      ConsumerFactory<Object, Object> consumers,
      DeadLetterSettings settings,
      ListenerProgress progress) {
    var handler =
        new DefaultErrorHandler(
            new FixedBackOff(settings.pause().toMillis(), FixedBackOff.UNLIMITED_ATTEMPTS));
    // without this some kinds of exceptions would be logged and skipped
    handler.setClassifications(Map.of(), true);
    var factory = factory(configurer, consumers, handler, progress);
    factory.setRecordInterceptor(progress.finishingOnReturn());
    return factory;
  }

  private static ConcurrentKafkaListenerContainerFactory<Object, Object> factory(
      ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
      ConsumerFactory<Object, Object> consumers,
      DefaultErrorHandler handler,
      ListenerProgress progress) {
    handler.setCommitRecovered(true);
    handler.setLogLevel(KafkaException.Level.DEBUG);
    var factory = new ConcurrentKafkaListenerContainerFactory<Object, Object>();
    configurer.configure(factory, consumers);
    factory.setCommonErrorHandler(handler);
    factory.setRecordInterceptor(progress);
    factory.getContainerProperties().setConsumerRebalanceListener(progress);
    factory.getContainerProperties().setShutdownTimeout(LONGEST_STOP_MILLIS);
    factory.getContainerProperties().setSyncCommitTimeout(LONGEST_COMMIT);
    return factory;
  }

  private record TellsProgress(ListenerProgress progress) implements RetryListener {

    @Override
    public void failedDelivery(
        ConsumerRecord<?, ?> record, @Nullable Exception thrown, int delivery) {
      // the failure is on record with the event; a line per delivery would only repeat it
    }

    @Override
    public void recovered(ConsumerRecord<?, ?> record, @Nullable Exception thrown) {
      progress.finished(record);
    }
  }
}
