package id.kabar.notification;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How events are consumed.
 *
 * @param group the consumer group of all instances
 * @param concurrency consumers per instance; more than partitions are idle
 * @param backoff between two deliveries of the same record
 * @param redeliveries after the first delivery; then the record is dead-lettered
 * @param hold how long a record may hold its partition while the provider is slow or dead
 * @param progressBound how long records may wait without one being finished before this instance
 *     calls itself not ready
 */
@ConfigurationProperties("notification.listener")
record ListenerSettings(
    @DefaultValue("notification-service") String group,
    @DefaultValue("3") int concurrency,
    @DefaultValue("2s") Duration backoff,
    @DefaultValue("4") int redeliveries,
    @DefaultValue("60s") Duration hold,
    @DefaultValue("3m") Duration progressBound) {

  int deliveries() {
    return redeliveries + 1;
  }
}
