package id.kabar.notification.ledger;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A record of the dead-letter topic, on its way into the database; see {@link Letter}. */
public record NewLetter(
    String reference,
    @Nullable UUID eventId,
    @Nullable UUID orderId,
    Cause cause,
    String detail,
    int attempts,
    Instant firstFailedAt,
    Instant lastFailedAt,
    Letter.@Nullable Origin origin,
    int deadLetterPartition,
    long deadLetterOffset,
    Letter.Content content) {}
