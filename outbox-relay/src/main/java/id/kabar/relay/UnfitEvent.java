package id.kabar.relay;

/** An event that cannot become a record; found before anything of it is sent. */
final class UnfitEvent extends Exception {

  private final transient Failure failure;

  UnfitEvent(Failure failure) {
    super(failure.reason(), null, false, false);
    this.failure = failure;
  }

  Failure failure() {
    return failure;
  }
}
