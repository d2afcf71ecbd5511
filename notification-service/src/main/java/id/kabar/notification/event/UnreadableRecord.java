package id.kabar.notification.event;

/** This record will never be readable; the message says why without repeating its content. */
public final class UnreadableRecord extends RuntimeException {

  UnreadableRecord(String reason) {
    super(reason);
  }

  /** Why, in words that hold nothing of the record itself. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
