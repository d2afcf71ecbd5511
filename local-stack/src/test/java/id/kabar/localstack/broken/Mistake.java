package id.kabar.localstack.broken;

/** What a miniature does wrong. */
enum Mistake {
  NONE,
  /** The event of a payment is committed on its own, before the payment. */
  PUBLISH_OUTSIDE_THE_TRANSACTION,
  /** The archive says that an event is in Kafka before Kafka has said so. */
  SETTLE_BEFORE_THE_CONFIRMATION,
  /** What is pending is read first, and who may publish it is settled then. */
  SNAPSHOT_BEFORE_THE_LOCK,
  /** A record says nothing of the order it belongs to. */
  NO_RECORD_KEY,
  /** The provider is not told which email it is. */
  NO_IDEMPOTENCY_KEY,
  /** Kafka is told that a record is done before the provider was asked. */
  OFFSET_BEFORE_THE_EMAIL,
  /** A dead letter that could not be published is taken for published. */
  SKIP_A_FAILED_DEAD_LETTER,
  /** What was sent is forgotten while Kafka may still deliver it again. */
  FORGET_TOO_EARLY
}
