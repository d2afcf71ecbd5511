package id.kabar.notification.email;

/** A message as the provider takes it. */
record Email(String from, String to, String subject, String text, String html) {

  /** Without the address: this text may end up in a log. */
  @Override
  public String toString() {
    return "Email[subject=%s]".formatted(subject);
  }
}
