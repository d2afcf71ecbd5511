package id.kabar.notification.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.notification.ledger.Letter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What an operator sees of a letter's record. */
@Component
class LetterContent {

  /** What may be shown as it is; a field nobody knows could hold anything. */
  private static final List<String> HARMLESS =
      List.of("eventId", "orderId", "totalAmount", "currency", "paidAt");

  private static final String ADDRESS = "customerEmail";

  private final JsonMapper json;

  LetterContent(JsonMapper json) {
    this.json = json;
  }

  /** Returns the known fields with the address masked; null if the payload is no JSON object. */
  @Nullable JsonNode masked(Letter.Content content) {
    if (!(parsed(content) instanceof ObjectNode event)) {
      return null;
    }
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    for (String field : HARMLESS) {
      JsonNode value = event.get(field);
      if (value != null && value.isValueNode()) {
        shown.set(field, value);
      }
    }
    JsonNode address = event.get(ADDRESS);
    if (address != null && address.isString()) {
      shown.put(ADDRESS, mask(address.stringValue()));
    }
    return shown;
  }

  /** Returns everything: JSON, else text, else base64. */
  @Nullable Object whole(Letter.Content content) {
    JsonNode parsed = parsed(content);
    if (parsed != null) {
      return parsed;
    }
    return content.payload() == null ? null : text(content.payload());
  }

  /** Returns the original headers. */
  Map<String, String> headers(Letter.Content content) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (JsonNode header : json.readTree(content.headers())) {
      headers.put(
          header.get(0).stringValue(),
          text(Base64.getDecoder().decode(header.get(1).stringValue())));
    }
    return headers;
  }

  /** {@code budi@example.com} becomes {@code b***@example.com}. */
  static String mask(String address) {
    int at = address.lastIndexOf('@');
    return at < 1 ? "***" : address.charAt(0) + "***" + address.substring(at);
  }

  private @Nullable JsonNode parsed(Letter.Content content) {
    if (content.payload() == null || content.payload().length == 0) {
      return null;
    }
    try {
      return json.readTree(content.payload());
    } catch (JacksonException e) {
      return null;
    }
  }

  private static String text(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return "base64:" + Base64.getEncoder().encodeToString(bytes);
    }
  }
}
