package id.kabar.notification.ledger;

import java.time.Instant;

/**
 * A failed attempt as it is remembered.
 *
 * @param number of all attempts at its event
 */
public record Attempt(int number, Instant at, AttemptFailure failure) {}
