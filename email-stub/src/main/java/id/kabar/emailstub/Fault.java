package id.kabar.emailstub;

import static com.github.tomakehurst.wiremock.http.Fault.CONNECTION_RESET_BY_PEER;
import static com.github.tomakehurst.wiremock.http.Fault.EMPTY_RESPONSE;
import static com.github.tomakehurst.wiremock.http.Fault.MALFORMED_RESPONSE_CHUNK;
import static com.github.tomakehurst.wiremock.http.Fault.RANDOM_DATA_THEN_CLOSE;

import com.github.tomakehurst.wiremock.http.ChunkedDribbleDelay;
import com.github.tomakehurst.wiremock.http.Response;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import wiremock.com.fasterxml.jackson.annotation.JsonInclude;
import wiremock.com.fasterxml.jackson.annotation.JsonValue;

/**
 * What goes wrong, and for whom.
 *
 * @param status the answer of mode status
 * @param retryAfter its Retry-After header, word for word
 * @param delayMillis how long modes delay and drip take
 * @param afterAccepting whether the email is delivered first, so that only the answer suffers
 * @param share of the calls that are struck, from 0 to 1
 * @param address strikes only where this is found in the email's address
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Fault(
    Mode mode,
    @Nullable Integer status,
    @Nullable String retryAfter,
    @Nullable Integer delayMillis,
    boolean afterAccepting,
    double share,
    @Nullable Pattern address) {

  private static final int DRIPS = 10;

  enum Mode {
    STATUS,
    DELAY,
    DRIP,
    RESET,
    EMPTY,
    MALFORMED,
    GARBAGE;

    @JsonValue
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the good answer arrives in the end, only later. */
    boolean isOnlySlow() {
      return this == DELAY || this == DRIP;
    }
  }

  boolean concerns(String to) {
    return address == null || address.matcher(to).find();
  }

  /** Whether the call fails before anything is delivered. */
  boolean preventsDelivery() {
    return !afterAccepting && !mode.isOnlySlow();
  }

  /** How long the call is in flight before anything is delivered. */
  Duration processing() {
    return mode == Mode.DELAY && !afterAccepting ? Duration.ofMillis(millis()) : Duration.ZERO;
  }

  /** Whether the caller sees an error rather than a late answer. */
  boolean isError() {
    return !mode.isOnlySlow() && (status == null || status >= 400);
  }

  Response strike(Response answer) {
    Response.Builder struck = Response.Builder.like(answer).but();
    return switch (mode) {
      case STATUS -> statusAnswer().upon(answer);
      case DELAY -> struck.incrementInitialDelay(millis()).build();
      // Its head, with the status, is on the wire at the first drip.
      case DRIP -> struck.chunkedDribbleDelay(new ChunkedDribbleDelay(DRIPS, millis())).build();
      case RESET -> struck.fault(CONNECTION_RESET_BY_PEER).build();
      case EMPTY -> struck.fault(EMPTY_RESPONSE).build();
      case MALFORMED -> struck.fault(MALFORMED_RESPONSE_CHUNK).build();
      case GARBAGE -> struck.fault(RANDOM_DATA_THEN_CLOSE).build();
    };
  }

  private Answer statusAnswer() {
    int code = status == null ? 503 : status;
    Answer answer =
        code < 400
            ? Answer.nothing(code)
            : Answer.problem(code, "provider-fault", "Fault", "A fault is in force on this stub.");
    return retryAfter == null ? answer : answer.with("Retry-After", retryAfter);
  }

  private int millis() {
    return delayMillis == null ? 0 : delayMillis;
  }
}
