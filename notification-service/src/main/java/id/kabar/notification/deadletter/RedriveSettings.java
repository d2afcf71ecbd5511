package id.kabar.notification.deadletter;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How what an outage has left is sent again, by itself.
 *
 * @param enabled whether it is
 * @param rate letters per second at most, over all instances, while the provider is trusted
 * @param rounds in which a letter may come back from a trusted provider before it is left to people
 * @param pause after the first such round, doubled with every further one
 * @param longestPause between two rounds
 * @param probePause between two letters while the provider is not trusted yet: one at a time
 * @param batch letters of one job
 */
@ConfigurationProperties("notification.redrive")
public record RedriveSettings(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("50") int rate,
    @DefaultValue("10") int rounds,
    @DefaultValue("30s") Duration pause,
    @DefaultValue("10m") Duration longestPause,
    @DefaultValue("2s") Duration probePause,
    @DefaultValue("10000") int batch) {}
