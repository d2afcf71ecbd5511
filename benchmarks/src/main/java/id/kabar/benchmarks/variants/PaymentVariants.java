package id.kabar.benchmarks.variants;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Stands before the outbox's {@code append}, and does something else instead. */
@AutoConfiguration
public class PaymentVariants {

  /** The event is told to nobody: what a payment costs by itself. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnProperty(name = "benchmark.variant", havingValue = "none")
  static Advisor withoutOutbox() {
    return insteadOfAppend(call -> null);
  }

  /**
   * The event goes to Kafka once the payment is committed, and the caller waits for Kafka: what is
   * often done in place of an outbox, and loses the event if the process dies in between.
   */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnProperty(name = "benchmark.variant", havingValue = "after-commit")
  static Advisor publishedAfterCommit() {
    Producer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                System.getenv("BENCHMARK_KAFKA"),
                ProducerConfig.LINGER_MS_CONFIG,
                0),
            new StringSerializer(),
            new ByteArraySerializer());
    String topic = System.getenv("BENCHMARK_TOPIC");
    return insteadOfAppend(
        call -> {
          Object event = call.getArguments()[0];
          byte[] payload = text(event, "payload").getBytes(UTF_8);
          ProducerRecord<String, byte[]> record =
              new ProducerRecord<>(topic, text(event, "aggregateId"), payload);
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  await(producer, record);
                }
              });
          return null;
        });
  }

  private static void await(
      Producer<String, byte[]> producer, ProducerRecord<String, byte[]> record) {
    try {
      producer.send(record).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // By reflection: order-service's classes are inside a jar that nothing compiles against.
  private static String text(Object event, String component) throws ReflectiveOperationException {
    return String.valueOf(event.getClass().getMethod(component).invoke(event));
  }

  private static Advisor insteadOfAppend(MethodInterceptor interceptor) {
    StaticMethodMatcherPointcut append =
        new StaticMethodMatcherPointcut() {
          @Override
          public boolean matches(Method method, Class<?> type) {
            return method.getName().equals("append")
                && type.getName().startsWith("id.kabar.orders.outbox.Outbox");
          }
        };
    return new DefaultPointcutAdvisor(append, interceptor);
  }
}
