package id.kabar.notification.ledger;

/** Where a dead letter stands. */
public enum LetterState {
  /** Somebody has to look at it. */
  OPEN,
  /** On its way again; it ends as RESOLVED, or OPEN once more. */
  REPLAYED,
  /** The email was sent after all. */
  RESOLVED,
  /** Somebody decided that it need not be sent. */
  DISCARDED
}
