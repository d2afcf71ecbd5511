package id.kabar.emailstub;

/** Serves the provider's API on the given port. */
class EmailStub {

  private EmailStub() {}

  static void main(String[] args) {
    throw new UnsupportedOperationException("no provider to serve yet: " + args.length);
  }
}
