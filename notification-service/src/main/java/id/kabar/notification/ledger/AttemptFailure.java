package id.kabar.notification.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Why an attempt did not end with an email known to be sent.
 *
 * @param detail for people; holds nothing of the record's content
 * @param providerStatus what the provider answered; null if it did not, or was not asked
 * @param outcomeUnknown whether the provider may have accepted the message all the same
 */
public record AttemptFailure(
    Cause cause, String detail, @Nullable Integer providerStatus, boolean outcomeUnknown) {}
