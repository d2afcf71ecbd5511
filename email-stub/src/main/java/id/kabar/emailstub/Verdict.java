package id.kabar.emailstub;

/** What the inbox made of an email. */
sealed interface Verdict {

  /** New: it is delivered. */
  record Accepted(String id) implements Verdict {}

  /** Delivered before, under this key and with this body: nothing happens again. */
  record Repeated(String id) implements Verdict {}

  /** The key belongs to another body. */
  record KeyReused() implements Verdict {}

  /** Another call with this key has not been decided yet. */
  record InFlight() implements Verdict {}
}
