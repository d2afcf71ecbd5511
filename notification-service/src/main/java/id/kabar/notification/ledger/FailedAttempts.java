package id.kabar.notification.ledger;

import java.time.Instant;

/** What is known of an event's failed attempts, by the database's clock. */
public record FailedAttempts(int count, Instant firstFailedAt, Instant lastFailedAt) {}
