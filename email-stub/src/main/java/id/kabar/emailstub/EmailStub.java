package id.kabar.emailstub;

/** Serves the provider's API on the given port. */
class EmailStub {

  private EmailStub() {}

  static void main(String[] args) {
    throw new UnsupportedOperationException("not there yet");
  }
}
