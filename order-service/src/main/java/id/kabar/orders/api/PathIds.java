package id.kabar.orders.api;

import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.core.convert.converter.Converter;
import org.springframework.stereotype.Component;

/**
 * Reads an id in its one usual form; the JDK's own reading takes {@code 1-1-1-1-1} for a UUID as
 * well.
 */
@Component
class PathIds implements Converter<String, UUID> {

  private static final Pattern CANONICAL =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  @Override
  public UUID convert(String text) {
    if (!CANONICAL.matcher(text).matches()) {
      throw new IllegalArgumentException("not a UUID");
    }
    return UUID.fromString(text);
  }
}
