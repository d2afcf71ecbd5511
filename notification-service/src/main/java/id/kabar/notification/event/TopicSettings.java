package id.kabar.notification.event;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The two topics of this service; what exists already is respected as it is.
 *
 * @param orderPaid where the events come from, and the only topic a dead letter is replayed to
 * @param deadLetters where goes what failed for good
 * @param partitions of either topic, if it has to be created
 * @param retention how long the broker keeps an event
 * @param deadLetterRetention how long the broker keeps a dead letter
 */
@ConfigurationProperties("notification.topics")
public record TopicSettings(
    @DefaultValue("order.paid") String orderPaid,
    @DefaultValue("order.paid.DLT") String deadLetters,
    @DefaultValue("3") int partitions,
    @DefaultValue("7d") Duration retention,
    @DefaultValue("30d") Duration deadLetterRetention) {}
