package id.kabar.notification;

import id.kabar.notification.deadletter.DeadLetterSettings;
import id.kabar.notification.email.AdmissionSettings;
import id.kabar.notification.email.EmailSettings;
import id.kabar.notification.email.Emails;
import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.LedgerSettings;
import io.github.resilience4j.common.retry.configuration.CommonRetryConfigurationProperties;
import io.github.resilience4j.springboot.retry.autoconfigure.RetryProperties;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.stereotype.Component;

/**
 * Works out from the settings the longest everything can take, and refuses to start when a promise
 * would not hold; the message says which value to change.
 */
@Component
class WorstCase {

  private static final Logger log = LoggerFactory.getLogger(WorstCase.class);

  /** For the two statements around a call. */
  private static final Duration DATABASE = Duration.ofSeconds(1);

  private final Duration delivery;
  private final Duration hold;

  WorstCase(
      ListenerSettings listener,
      EmailSettings email,
      AdmissionSettings admission,
      LedgerSettings ledger,
      DeadLetterSettings deadLetters,
      TopicSettings topics,
      RetryProperties retries,
      KafkaProperties kafka) {
    Calls calls = Calls.of(retries);
    this.delivery = email.deadline().multipliedBy(calls.attempts()).plus(calls.waits());
    Duration turn = email.rateLimit() > 0 ? Emails.LONGEST_TURN : Duration.ZERO;
    this.hold =
        delivery
            .plus(turn)
            .multipliedBy(listener.deliveries())
            .plus(listener.backoff().multipliedBy(listener.redeliveries()));
    checkInFlight(admission, email);
    checkDeadline(email);
    checkClaim(ledger);
    checkHold(listener, email, calls, turn);
    checkPoll(deadLetters, kafka.buildConsumerProperties());
    checkRetention(ledger, topics, deadLetters);
    log.info(
        "A record holds its partition for at most {}, a delivery takes at most {}",
        text(hold),
        text(delivery));
  }

  /** The calls of one delivery, as Resilience4j is told to make them. */
  private record Calls(int attempts, Duration waits) {

    static Calls of(RetryProperties retries) {
      var email = retries.getInstances().get("email");
      if (email == null) {
        throw new InvalidConfigurationPropertyValueException(
            "resilience4j.retry.instances.email", null, "It is needed, but not set.");
      }
      int attempts = Optional.ofNullable(email.getMaxAttempts()).orElse(3);
      Duration waits = Duration.ZERO;
      for (int wait = 0; wait < attempts - 1; wait++) {
        waits = waits.plus(longestWait(email, wait));
      }
      return new Calls(attempts, waits);
    }

    private static Duration longestWait(
        CommonRetryConfigurationProperties.InstanceProperties email, int wait) {
      double millis =
          Optional.ofNullable(email.getWaitDuration()).orElse(Duration.ofMillis(500)).toMillis();
      if (Boolean.TRUE.equals(email.getEnableExponentialBackoff())) {
        millis *=
            Math.pow(
                Optional.ofNullable(email.getExponentialBackoffMultiplier()).orElse(1.5), wait);
      }
      if (Boolean.TRUE.equals(email.getEnableRandomizedWait())) {
        millis *= 1 + Optional.ofNullable(email.getRandomizedWaitFactor()).orElse(0.5);
      }
      return Duration.ofMillis((long) Math.ceil(millis));
    }
  }

  private static void checkInFlight(AdmissionSettings admission, EmailSettings email) {
    if (admission.inFlight() < 1) {
      throw refuse(
          "notification.in-flight",
          admission.inFlight(),
          "Nothing would ever be sent: set at least 1.");
    }
    if (email.rateLimit() < 0) {
      throw refuse("email.rate-limit", email.rateLimit(), "Set calls a second, or 0 for no limit.");
    }
    // one instance alone always has a place for each of its records; with more of them some come
    // back for theirs
    int most = email.rateLimit() * (int) Emails.LONGEST_TURN.toSeconds();
    if (email.rateLimit() > 0 && admission.inFlight() > most) {
      throw refuse(
          "notification.in-flight",
          admission.inFlight(),
          ("With email.rate-limit=%d the last of them would wait for longer than %s before its call:"
                  + " set at most %d.")
              .formatted(email.rateLimit(), text(Emails.LONGEST_TURN), most));
    }
  }

  private static void checkDeadline(EmailSettings email) {
    if (email.connectTimeout().compareTo(email.deadline()) >= 0) {
      throw refuse(
          "email.connect-timeout",
          email.connectTimeout(),
          "A connection must not take longer than the whole call (email.deadline=%s): lower it."
              .formatted(text(email.deadline())));
    }
  }

  private void checkClaim(LedgerSettings ledger) {
    Duration needed = delivery.plus(DATABASE.multipliedBy(2));
    if (ledger.claimLifetime().compareTo(needed) < 0) {
      throw refuse(
          "notification.ledger.claim-lifetime",
          ledger.claimLifetime(),
          "A delivery may take %s, and its claim would expire under it: set at least %s."
              .formatted(text(delivery), text(needed)));
    }
  }

  private void checkHold(
      ListenerSettings listener, EmailSettings email, Calls calls, Duration turn) {
    if (hold.compareTo(listener.hold()) > 0) {
      throw refuse(
          "notification.listener.hold",
          listener.hold(),
          ("A record may hold its partition for %s: %d deliveries of %d calls of %s with %s of waits"
                  + "%s, and %d pauses of %s. Lower email.deadline,"
                  + " resilience4j.retry.instances.email.max-attempts or"
                  + " notification.listener.redeliveries, or raise the hold.")
              .formatted(
                  text(hold),
                  listener.deliveries(),
                  calls.attempts(),
                  text(email.deadline()),
                  text(calls.waits()),
                  turn.isZero()
                      ? ""
                      : " after %s for its turn (email.rate-limit)".formatted(text(turn)),
                  listener.redeliveries(),
                  text(listener.backoff())));
    }
  }

  /**
   * Between two polls: a full batch of dead letters on a slow database, or a partition given back.
   * Events are only taken in hand, however long their emails take.
   */
  private static void checkPoll(DeadLetterSettings deadLetters, Map<String, Object> consumer) {
    int records = number(consumer, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
    Duration interval =
        Duration.ofMillis(number(consumer, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 300_000));
    Duration once = longer(deadLetters.pause(), RecordsInHand.LONGEST_GIVING_BACK);
    Duration worst = DATABASE.multipliedBy(records).plus(once);
    if (worst.compareTo(interval) >= 0) {
      throw refuse(
          "spring.kafka.consumer.max-poll-records",
          records,
          ("%d records of up to %s each may take %s, longer than max.poll.interval.ms=%s allows:"
                  + " the group would give the partition away. Lower it to %d, or raise"
                  + " spring.kafka.consumer.max-poll-interval.")
              .formatted(
                  records,
                  text(DATABASE),
                  text(worst),
                  text(interval),
                  Math.max(0, interval.minus(once).dividedBy(DATABASE) - 1)));
    }
  }

  private static void checkRetention(
      LedgerSettings ledger, TopicSettings topics, DeadLetterSettings deadLetters) {
    Duration needed =
        topics.retention().plus(topics.deadLetterRetention()).plus(deadLetters.replayHorizon());
    if (ledger.retention().compareTo(needed) < 0) {
      throw refuse(
          "notification.ledger.retention",
          ledger.retention(),
          ("An event may come again for %d days (notification.topics.retention,"
                  + " notification.topics.dead-letter-retention and"
                  + " notification.dead-letters.replay-horizon together), and would be sent again once"
                  + " it is forgotten: set at least that.")
              .formatted(needed.toDays()));
    }
  }

  /** How long one delivery may take, its database statements aside. */
  Duration delivery() {
    return delivery;
  }

  /** How long a record may hold its partition, however slow or dead the provider. */
  Duration hold() {
    return hold;
  }

  private static int number(Map<String, Object> properties, String name, int otherwise) {
    Object value = properties.get(name);
    return value == null ? otherwise : Integer.parseInt(value.toString());
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private static String text(Duration duration) {
    return duration.toMillis() / 1000.0 + " s";
  }

  private static InvalidConfigurationPropertyValueException refuse(
      String property, Object value, String reason) {
    return new InvalidConfigurationPropertyValueException(property, value, reason);
  }
}
