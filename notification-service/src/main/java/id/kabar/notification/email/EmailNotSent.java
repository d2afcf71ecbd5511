package id.kabar.notification.email;

/** Carries a failure through retry and circuit breaker, which speak in exceptions. */
final class EmailNotSent extends RuntimeException {

  private final transient EmailFailure failure;

  EmailNotSent(EmailFailure failure) {
    super(failure.why());
    this.failure = failure;
  }

  EmailFailure failure() {
    return failure;
  }
}
