package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.notification.deadletter.DeadLetterSettings;
import id.kabar.notification.email.AdmissionSettings;
import id.kabar.notification.email.EmailSettings;
import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.LedgerSettings;
import io.github.resilience4j.springboot.retry.autoconfigure.RetryAutoConfiguration;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Settings under which a promise would not hold stop the service before it breaks it. */
class WorstCaseTest {

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties({
    ListenerSettings.class,
    EmailSettings.class,
    AdmissionSettings.class,
    LedgerSettings.class,
    DeadLetterSettings.class,
    TopicSettings.class,
    KafkaProperties.class
  })
  @Import(WorstCase.class)
  static class SettingsOnly {}

  private final ApplicationContextRunner service =
      new ApplicationContextRunner()
          .withInitializer(new ConfigDataApplicationContextInitializer())
          .withConfiguration(AutoConfigurations.of(RetryAutoConfiguration.class))
          .withUserConfiguration(SettingsOnly.class);

  @Test
  void theDefaultsHoldAPartitionForLessThanAMinute() {
    service.run(
        context -> {
          assertThat(context).hasNotFailed();
          assertThat(context.getBean(WorstCase.class).delivery())
              .isEqualTo(Duration.ofMillis(9_900));
          assertThat(context.getBean(WorstCase.class).hold()).isEqualTo(Duration.ofMillis(57_500));
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          email.deadline=5s                                        | notification.ledger.claim-lifetime | set at least 17.9 s
          notification.listener.redeliveries=5                     | notification.listener.hold         | for 69.4 s: 6 deliveries of 3 calls of 3.0 s
          notification.listener.backoff=10s                        | notification.listener.hold         | and 4 pauses of 10.0 s
          resilience4j.retry.instances.email.wait-duration=2s      | notification.ledger.claim-lifetime | delivery may take 18.0 s
          notification.ledger.claim-lifetime=11s                   | notification.ledger.claim-lifetime | its claim would expire under it
          notification.in-flight=0                                 | notification.in-flight             | set at least 1
          email.rate-limit=10                                      | notification.in-flight             | set at most 50
          email.rate-limit=100                                     | notification.listener.hold         | for 82.5 s: 5 deliveries of 3 calls of 3.0 s with 0.9 s of waits after 5.0 s for its turn
          spring.kafka.consumer.max-poll-records=400               | spring.kafka.consumer.max-poll-records | Lower it to 291
          spring.kafka.consumer.max-poll-interval=1m               | spring.kafka.consumer.max-poll-records | max.poll.interval.ms=60.0 s
          notification.ledger.retention=40d                        | notification.ledger.retention      | for 44 days
          notification.topics.retention=30d                        | notification.ledger.retention      | for 67 days
          email.connect-timeout=3s                                 | email.connect-timeout              | lower it
          """)
  void theServiceDoesNotStartAndSaysWhichValueToChange(
      String setting, String property, String reason) {
    service
        .withPropertyValues(setting)
        .run(
            context -> {
              assertThat(context).hasFailed();
              var refusal =
                  (InvalidConfigurationPropertyValueException) rootOf(context.getStartupFailure());
              // the claim is checked before the hold: one setting may break several promises
              assertThat(refusal.getName()).isEqualTo(property);
              assertThat(refusal.getReason()).contains(reason);
            });
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
