package id.kabar.emailstub;

/** Serves the provider's API on the given port. */
class EmailStub {

  private EmailStub() {}

  static void main(String[] args) {
    System.err.printf("no provider to serve yet (%d arguments)%n", args.length);
  }
}
