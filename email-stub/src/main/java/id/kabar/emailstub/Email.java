package id.kabar.emailstub;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import wiremock.com.fasterxml.jackson.databind.JsonNode;

/**
 * An email as a caller hands it in.
 *
 * @param traceparent the W3C trace context of the call; null if it had none
 */
record Email(
    @Nullable String from,
    String to,
    @Nullable String subject,
    @Nullable String text,
    @Nullable String html,
    @Nullable String traceparent) {

  private static final Pattern ONE_ADDRESS =
      Pattern.compile("[^\\s\\p{Cntrl},;@]+@[^\\s\\p{Cntrl},;@]+");
  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  static Email read(String body) {
    JsonNode json = Json.read(body);
    if (!json.isObject()) {
      throw new BadRequest("Send a JSON object {\"from\",\"to\",\"subject\",\"text\",\"html\"}.");
    }
    return new Email(
        Json.text(json, "from"),
        oneAddress(Json.text(json, "to")),
        oneLine(Json.text(json, "subject")),
        Json.text(json, "text"),
        Json.text(json, "html"),
        null);
  }

  /** The same email, handed in by a call with this trace context; anything else is no context. */
  Email tracedBy(@Nullable String header) {
    String context = header != null && TRACEPARENT.matcher(header).matches() ? header : null;
    return new Email(from, to, subject, text, html, context);
  }

  private static String oneAddress(@Nullable String to) {
    if (to == null) {
      throw new BadRequest("'to' is missing: who shall get this email?");
    }
    if (!ONE_ADDRESS.matcher(to).matches()) {
      throw new BadRequest("'to' must be exactly one address, such as name@example.com.");
    }
    return to;
  }

  private static @Nullable String oneLine(@Nullable String subject) {
    if (subject != null && CONTROL.matcher(subject).find()) {
      throw new BadRequest("'subject' must be one line without control characters.");
    }
    return subject;
  }
}
