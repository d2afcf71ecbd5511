package id.kabar.notification.deadletter;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Dead letters and their replay.
 *
 * @param group the consumer group that reads the dead-letter topic into the database
 * @param publishTimeout how long a dead letter may take to be confirmed by the broker
 * @param pause after a dead letter could not be published, read or replayed; it is kept meanwhile
 * @param maxReplays how often one letter may be replayed before only force helps
 * @param replaysPerSecond of one job, over all instances, unless it asks for another pace
 * @param replaysUnderWay letters at most that lie in the topic again and are not done; jobs wait
 *     then, for live traffic waits behind them
 * @param largestReplay letters one request may replay or discard
 * @param replayHorizon how long after its last failure a letter is still worth a replay
 */
@ConfigurationProperties("notification.dead-letters")
public record DeadLetterSettings(
    @DefaultValue("notification-service-dead-letters") String group,
    @DefaultValue("10s") Duration publishTimeout,
    @DefaultValue("2s") Duration pause,
    @DefaultValue("5") int maxReplays,
    @DefaultValue("50") int replaysPerSecond,
    @DefaultValue("100") int replaysUnderWay,
    @DefaultValue("10000") int largestReplay,
    @DefaultValue("7d") Duration replayHorizon) {

  /** How long a replay may be silent, waiting for the broker, before it has lost its letter. */
  Duration lease() {
    return publishTimeout.multipliedBy(2).plus(pause);
  }
}
