package id.kabar.localstack;

/** Somebody named a service or an instance that is not there; the message names those that are. */
public final class UnknownName extends IllegalArgumentException {

  UnknownName(String message) {
    super(message);
  }
}
