package id.kabar.notification.event;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Currency;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads {@code docs/events/order-paid.v1.json}; fields it does not know are ignored, what it needs
 * is checked here, so that nothing unchecked reaches the database or the provider.
 */
@Component
public class OrderPaidReader {

  private static final String TYPE = "id.kabar.OrderPaid.v1";

  /** An event has some 300 bytes; whatever is larger than this is none of ours. */
  private static final int LONGEST_RECORD = 65_536;

  private static final int DEEPEST_NESTING = 32;
  private static final long LARGEST_AMOUNT = 9_007_199_254_740_991L;
  private static final int LONGEST_ADDRESS = 254;

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /** One address without a display name; control characters could end a header early. */
  private static final Pattern ADDRESS =
      Pattern.compile("[^\\s\\p{Cntrl}@,;<>]+@[^\\s\\p{Cntrl}@,;<>]+");

  private final JsonMapper json =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST_NESTING).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .build();

  /**
   * Returns the event in a record's value.
   *
   * @param type the header {@code ce_type}
   * @throws UnreadableRecord if it will never be readable
   */
  public OrderPaid read(@Nullable String type, byte @Nullable [] value) {
    if (!TYPE.equals(type)) {
      throw new UnreadableRecord(
          type == null ? "header ce_type is missing" : "ce_type is not " + TYPE);
    }
    if (value == null || value.length == 0) {
      throw new UnreadableRecord("the value is empty");
    }
    if (value.length > LONGEST_RECORD) {
      throw new UnreadableRecord(
          "the value has %d bytes, more than %d".formatted(value.length, LONGEST_RECORD));
    }
    JsonNode event = parse(value);
    return new OrderPaid(
        uuid(event, "eventId"),
        uuid(event, "orderId"),
        address(event),
        amount(event),
        currency(event),
        paidAt(event));
  }

  private JsonNode parse(byte[] value) {
    JsonNode event;
    try {
      event = json.readTree(value);
    } catch (JacksonException e) {
      // the parser's own message would quote the content
      var at = e.getLocation();
      throw new UnreadableRecord(
          at == null
              ? "not JSON"
              : "not JSON at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()));
    }
    if (!event.isObject()) {
      throw new UnreadableRecord("not a JSON object");
    }
    return event;
  }

  private static UUID uuid(JsonNode event, String field) {
    String text = text(event, field);
    if (!UUID_TEXT.matcher(text).matches()) {
      throw new UnreadableRecord(field + " is not a UUID");
    }
    return UUID.fromString(text);
  }

  private static String address(JsonNode event) {
    String text = text(event, "customerEmail");
    if (text.length() > LONGEST_ADDRESS || !ADDRESS.matcher(text).matches()) {
      throw new UnreadableRecord("customerEmail is not one address");
    }
    return text;
  }

  private static long amount(JsonNode event) {
    JsonNode amount = event.get("totalAmount");
    if (amount == null) {
      throw new UnreadableRecord("totalAmount is missing");
    }
    if (!amount.isIntegralNumber() || !amount.canConvertToLong()) {
      throw new UnreadableRecord("totalAmount is not an integer");
    }
    if (amount.longValue() < 1 || amount.longValue() > LARGEST_AMOUNT) {
      throw new UnreadableRecord("totalAmount is out of range");
    }
    return amount.longValue();
  }

  private static Currency currency(JsonNode event) {
    try {
      return Currency.getInstance(text(event, "currency"));
    } catch (IllegalArgumentException e) {
      throw new UnreadableRecord("currency is not known");
    }
  }

  private static Instant paidAt(JsonNode event) {
    String text = text(event, "paidAt");
    try {
      if (text.endsWith("Z")) {
        return Instant.parse(text);
      }
    } catch (DateTimeException e) {
      throw new UnreadableRecord("paidAt is not a time");
    }
    throw new UnreadableRecord("paidAt is not in UTC");
  }

  private static String text(JsonNode event, String field) {
    JsonNode value = event.get(field);
    if (value == null || value.isNull()) {
      throw new UnreadableRecord(field + " is missing");
    }
    if (!value.isString()) {
      throw new UnreadableRecord(field + " is not text");
    }
    return value.stringValue();
  }
}
