package id.kabar.emailstub;

/** A call that cannot be served as it stands; the message says what to send instead. */
class BadRequest extends RuntimeException {

  BadRequest(String message) {
    super(message);
  }

  Answer answer() {
    return Answer.problem(400, "bad-request", "Bad request", String.valueOf(getMessage()));
  }
}
