package id.kabar.localstack.history;

/** Where a payment's news has ended; exactly one holds for each payment. */
enum Fate {
  /** The provider has accepted the email. */
  MAILED,
  /** An operator has it before their eyes, or has discarded it. */
  DEAD_LETTERED,
  /** In the outbox, parked there, or in the topic before the consumers' offset. */
  PENDING,
  /** Nobody will ever tell the customer. */
  VANISHED
}
