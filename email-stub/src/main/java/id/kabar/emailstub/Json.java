package id.kabar.emailstub;

import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import wiremock.com.fasterxml.jackson.core.JsonProcessingException;
import wiremock.com.fasterxml.jackson.core.StreamReadFeature;
import wiremock.com.fasterxml.jackson.databind.DeserializationFeature;
import wiremock.com.fasterxml.jackson.databind.JsonNode;
import wiremock.com.fasterxml.jackson.databind.ObjectMapper;
import wiremock.com.fasterxml.jackson.databind.json.JsonMapper;

/** Reads and writes JSON with the library that WireMock brings along. */
final class Json {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  static JsonNode read(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      // The parser's own words would quote the body, and with it an address.
      throw new BadRequest("The body is not valid JSON.");
    }
  }

  static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The field as text; null where it is absent or null. */
  static @Nullable String text(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual()) {
      throw new BadRequest("'%s' must be text.".formatted(field));
    }
    return value.textValue();
  }
}
