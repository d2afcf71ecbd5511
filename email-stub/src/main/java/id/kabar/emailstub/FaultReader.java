package id.kabar.emailstub;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import wiremock.com.fasterxml.jackson.databind.JsonNode;

/** Reads faults as they are switched on, and tells what is wrong with a wrong one. */
final class FaultReader {

  private static final Set<String> FIELDS =
      Set.of("mode", "status", "retryAfter", "delayMillis", "afterAccepting", "share", "address");
  private static final String MODES =
      Arrays.stream(Fault.Mode.values()).map(Fault.Mode::word).collect(Collectors.joining(", "));
  private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7e]{1,100}");
  private static final int MOST_FAULTS = 20;
  private static final int DEFAULT_DELAY_MILLIS = 2_000;
  private static final int LONGEST_DELAY_MILLIS = 600_000;

  private FaultReader() {}

  /** One fault or a list of them; the first that concerns a call strikes it. */
  static List<Fault> read(String body) {
    JsonNode json = Json.read(body);
    List<Fault> faults = new ArrayList<>();
    if (json.isArray()) {
      json.forEach(element -> faults.add(fault(element)));
    } else {
      faults.add(fault(json));
    }
    require(faults.size() <= MOST_FAULTS, "At most %d faults at once.".formatted(MOST_FAULTS));
    return List.copyOf(faults);
  }

  private static Fault fault(JsonNode json) {
    require(
        json.isObject(), "Send a fault {\"mode\":\"status\",\"status\":503}, or a list of them.");
    json.fieldNames()
        .forEachRemaining(
            name -> require(FIELDS.contains(name), "A fault has no '%s'.".formatted(name)));
    Fault.Mode mode = mode(Json.text(json, "mode"));
    return new Fault(
        mode,
        status(json, mode),
        retryAfter(json, mode),
        delayMillis(json, mode),
        afterAccepting(json.path("afterAccepting"), mode),
        share(json.path("share")),
        address(Json.text(json, "address")));
  }

  private static Fault.Mode mode(@Nullable String word) {
    for (Fault.Mode mode : Fault.Mode.values()) {
      if (mode.word().equals(word)) {
        return mode;
      }
    }
    throw new BadRequest("'mode' must be one of %s.".formatted(MODES));
  }

  private static @Nullable Integer status(JsonNode json, Fault.Mode mode) {
    Integer status = number(json, "status", 200, 599);
    if (mode == Fault.Mode.STATUS) {
      require(status != null, "Mode status needs a 'status' from 200 to 599.");
    } else {
      require(status == null, "'status' belongs to mode status.");
    }
    return status;
  }

  private static @Nullable String retryAfter(JsonNode json, Fault.Mode mode) {
    JsonNode value = json.path("retryAfter");
    String text = value.isIntegralNumber() ? value.asText() : Json.text(json, "retryAfter");
    if (text != null) {
      require(mode == Fault.Mode.STATUS, "'retryAfter' belongs to mode status.");
      require(HEADER_VALUE.matcher(text).matches(), "'retryAfter' cannot be sent as a header.");
    }
    return text;
  }

  private static @Nullable Integer delayMillis(JsonNode json, Fault.Mode mode) {
    Integer millis = number(json, "delayMillis", 1, LONGEST_DELAY_MILLIS);
    if (mode.isOnlySlow()) {
      return millis == null ? Integer.valueOf(DEFAULT_DELAY_MILLIS) : millis;
    }
    require(millis == null, "'delayMillis' belongs to modes delay and drip.");
    return null;
  }

  private static boolean afterAccepting(JsonNode value, Fault.Mode mode) {
    require(isAbsent(value) || value.isBoolean(), "'afterAccepting' must be true or false.");
    // A dripping answer says 202 before it drips: there is no other way.
    return mode == Fault.Mode.DRIP || value.asBoolean();
  }

  private static double share(JsonNode value) {
    if (isAbsent(value)) {
      return 1.0;
    }
    double share = value.asDouble();
    require(
        value.isNumber() && share >= 0 && share <= 1,
        "'share' must be a number from 0 (no call) to 1 (every call).");
    return share;
  }

  private static @Nullable Pattern address(@Nullable String pattern) {
    try {
      return pattern == null ? null : Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new BadRequest(
          "'address' must be a regular expression: %s.".formatted(e.getDescription()));
    }
  }

  private static @Nullable Integer number(JsonNode json, String field, int least, int most) {
    JsonNode value = json.path(field);
    if (isAbsent(value)) {
      return null;
    }
    require(
        value.isInt() && value.intValue() >= least && value.intValue() <= most,
        "'%s' must be a whole number from %d to %d.".formatted(field, least, most));
    return value.intValue();
  }

  private static boolean isAbsent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new BadRequest(otherwise);
    }
  }
}
