package id.kabar.notification.email;

/** How one delivery to the provider ended, after all its calls. */
public sealed interface EmailOutcome {

  /** The provider has taken the message and answers for it from here on. */
  record Accepted(String messageId) implements EmailOutcome {}

  /**
   * The provider did not say that it took the message.
   *
   * @param outcomeUnknown whether one of the calls may have been accepted all the same
   */
  record NotSent(EmailFailure failure, boolean outcomeUnknown) implements EmailOutcome {}
}
