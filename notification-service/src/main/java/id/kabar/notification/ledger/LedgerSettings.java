package id.kabar.notification.ledger;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long the database remembers.
 *
 * @param claimLifetime after which a claim whose owner is silent may be taken over; longer than a
 *     delivery can take
 * @param retention of the record that an event was sent; as long as that event may come again
 * @param settledLetterRetention of dead letters that were resolved or discarded
 * @param pruneBatch rows deleted by one statement
 */
@ConfigurationProperties("notification.ledger")
public record LedgerSettings(
    @DefaultValue("15s") Duration claimLifetime,
    @DefaultValue("45d") Duration retention,
    @DefaultValue("90d") Duration settledLetterRetention,
    @DefaultValue("1000") int pruneBatch) {}
