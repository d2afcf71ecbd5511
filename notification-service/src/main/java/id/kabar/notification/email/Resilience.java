package id.kabar.notification.email;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.common.circuitbreaker.configuration.CircuitBreakerConfigCustomizer;
import io.github.resilience4j.common.retry.configuration.RetryConfigCustomizer;
import java.util.function.Predicate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The numbers of retry and breaker are settings ({@code resilience4j.*.instances.email}); which
 * failure counts for what is known by the failure itself.
 */
@Configuration(proxyBeanMethods = false)
class Resilience {

  @Bean
  @SuppressWarnings("unchecked") // the customizer hands out a raw builder
  RetryConfigCustomizer emailRetry() {
    Predicate<Throwable> again = Resilience::again;
    return RetryConfigCustomizer.of("email", retry -> retry.retryOnException(again));
  }

  @Bean
  CircuitBreakerConfigCustomizer emailBreaker() {
    return CircuitBreakerConfigCustomizer.of(
        "email", breaker -> breaker.ignoreException(Resilience::saysNothingOfTheProvider));
  }

  /** An open breaker is never asked again within the same delivery. */
  private static boolean again(Throwable thrown) {
    return thrown instanceof EmailNotSent notSent && notSent.failure().worthAnotherCall();
  }

  private static boolean saysNothingOfTheProvider(Throwable thrown) {
    return thrown instanceof CallNotPermittedException
        || (thrown instanceof EmailNotSent notSent && !notSent.failure().countsForBreaker());
  }
}
