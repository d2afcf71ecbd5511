package id.kabar.emailstub;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import wiremock.com.fasterxml.jackson.annotation.JsonInclude;

/** A delivered email, as the inbox shows it. */
record Message(
    @Nullable String key,
    String id,
    @Nullable String from,
    String to,
    @Nullable String subject,
    @Nullable String text,
    @Nullable String html,
    String acceptedAt,
    int repeats,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String traceparent) {

  static Message of(@Nullable String key, String id, Email email, Instant acceptedAt) {
    return new Message(
        key,
        id,
        email.from(),
        email.to(),
        email.subject(),
        email.text(),
        email.html(),
        acceptedAt.toString(),
        0,
        email.traceparent());
  }

  Message repeated() {
    return new Message(
        key, id, from, to, subject, text, html, acceptedAt, repeats + 1, traceparent);
  }

  int length() {
    return length(from) + length(to) + length(subject) + length(text) + length(html);
  }

  private static int length(@Nullable String part) {
    return part == null ? 0 : part.length();
  }
}
