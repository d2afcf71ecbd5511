package id.kabar.notification.ledger;

/** Why an event was given up. */
public enum Cause {
  /** The record cannot be read, and never will. */
  POISON,
  /** The provider refuses this very message. */
  REJECTED,
  /** The provider refuses our credentials. */
  CREDENTIALS_REFUSED,
  /** The provider did not accept it in time: down, slow, throttling, or spared by the breaker. */
  PROVIDER_UNAVAILABLE,
  /** It may have been sent, too long ago for the provider to recognise a repetition. */
  OUTCOME_UNKNOWN,
  /** An error of our own. */
  UNEXPECTED
}
