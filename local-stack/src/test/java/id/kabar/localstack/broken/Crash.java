package id.kabar.localstack.broken;

/** The moment a miniature dies; what it has not committed is gone. */
final class Crash extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Where a test lets a miniature die. */
  enum Point {
    NOWHERE,
    BEFORE_THE_PAYMENT_IS_COMMITTED,
    BEFORE_THE_SEND,
    BETWEEN_SEND_AND_SETTLE,
    BEFORE_THE_EMAIL
  }

  Crash(Point point) {
    super(point.toString());
  }
}
