package id.kabar.notification.deadletter;

import java.util.Locale;

/** Why a letter is not replayed. */
enum Refusal {
  NOT_OPEN("The letter is not open: it is resolved, or discarded."),
  ON_ITS_WAY(
      "The letter has been replayed and is on its way. If it never arrives, force it with a"
          + " reason."),
  BEING_REPLAYED("Somebody else is replaying this letter right now, or a job is about to."),
  ALREADY_SENT("The email has been sent meanwhile; the letter is resolved now."),
  TOO_MANY_REPLAYS(
      "The letter came back from every replay it may have. Find out why; then force it with a"
          + " reason, or discard it."),
  OUTCOME_UNKNOWN(
      "An earlier attempt may have been accepted, too long ago for the provider to recognise a"
          + " repetition: the customer could get a second email. Force it with a reason, or discard"
          + " it."),
  PROVIDER_SPARED(
      "The provider is not called right now: the circuit breaker is open, or it asked for a pause."
          + " The letter would only come back; try again in half a minute."),
  ORIGIN_UNKNOWN("The letter does not come from the topic this service replays to.");

  private final String explanation;

  Refusal(String explanation) {
    this.explanation = explanation;
  }

  String explanation() {
    return explanation;
  }

  /** Its problem's name. */
  String problem() {
    return "replay-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether a person with a reason may overrule it. */
  boolean yieldsToForce() {
    return this == TOO_MANY_REPLAYS || this == OUTCOME_UNKNOWN || this == ON_ITS_WAY;
  }
}
