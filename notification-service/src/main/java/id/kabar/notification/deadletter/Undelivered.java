package id.kabar.notification.deadletter;

/** Carries a failure through Spring's recoverer, which speaks in exceptions. */
final class Undelivered extends RuntimeException {

  private final transient Failure failure;

  Undelivered(Failure failure) {
    super(failure.cause() + ": " + failure.detail());
    this.failure = failure;
  }

  Failure failure() {
    return failure;
  }
}
