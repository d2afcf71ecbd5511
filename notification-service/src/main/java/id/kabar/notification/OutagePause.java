package id.kabar.notification;

import id.kabar.notification.email.ProviderTrust;
import id.kabar.notification.email.Trust;
import id.kabar.notification.email.Trust.Gate;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Fetches no events while the provider is not to be called: they stay in Kafka, polling goes on,
 * and the partitions stay where they are. Once the hold is over events are fetched again, to be
 * given up.
 */
@Component
class OutagePause {

  private static final Logger log = LoggerFactory.getLogger(OutagePause.class);

  private final ProviderTrust trust;
  private final RecordsInHand inHand;
  private final ListenerProgress progress;
  private final KafkaListenerEndpointRegistry listeners;
  private final Steering steering;

  private volatile boolean paused;
  private boolean givingUp;

  OutagePause(
      ProviderTrust trust,
      RecordsInHand inHand,
      ListenerProgress progress,
      KafkaListenerEndpointRegistry listeners,
      Steering steering,
      MeterRegistry meters) {
    this.trust = trust;
    this.inHand = inHand;
    this.progress = progress;
    this.listeners = listeners;
    this.steering = steering;
    for (Trust.Reason reason : Trust.Reason.values()) {
      Gauge.builder("notification.paused", () -> isPausedFor(reason) ? 1 : 0)
          .tag("reason", reason.name().toLowerCase(Locale.ROOT))
          .description("Whether events wait because of the provider")
          .register(meters);
    }
    Gauge.builder("notification.giving_up", () -> trust.now().givingUp() ? 1 : 0)
        .description("Whether events are dead-lettered because the provider was away for too long")
        .register(meters);
    trust.onChange(this::look);
  }

  private boolean isPausedFor(Trust.Reason reason) {
    Trust now = trust.now();
    return now.paused() && now.reason() == reason;
  }

  /** The clock ends holds and throttles. */
  @Scheduled(fixedDelay = 250)
  void look() {
    steering.later(this::steer);
  }

  private void steer() {
    MessageListenerContainer listener = listeners.getListenerContainer(OrderPaidListener.ID);
    if (listener == null) {
      return; // not yet made
    }
    Trust now = trust.now();
    tell(now);
    // somebody has to find out whether the provider is back
    boolean pause = now.paused() && (now.gate() == Gate.SHUT || inHand.any());
    if (pause && !paused) {
      paused = true;
      listener.pause();
    } else if (!pause && paused) {
      progress.startAnew();
      listener.resume();
      paused = false;
    }
  }

  private void tell(Trust now) {
    if (now.givingUp() != givingUp) {
      givingUp = now.givingUp();
      if (givingUp) {
        log.warn(
            "The provider has been away since {}: events are dead-lettered without a call",
            now.since());
      }
    }
  }

  /** Why events wait on purpose; null if they do not. */
  @Nullable Trust pause() {
    Trust now = trust.now();
    return now.paused() ? now : null;
  }
}
