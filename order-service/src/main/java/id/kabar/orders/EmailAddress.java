package id.kabar.orders;

import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/** One plain address, which never shows in a log: its text is asked for by name. */
record EmailAddress(@JsonValue String value) {

  private static final int MAX_BYTES = 254;
  private static final int MAX_LOCAL_BYTES = 64;
  private static final String NOT_IN_LOCAL_PART = "@,;:<>()[]\\";

  // The dots that IDNA reads as label separators and nobody else does.
  private static final Pattern FOREIGN_DOT = Pattern.compile("[\u3002\uff0e\uff61]");
  private static final Pattern DOMAIN =
      Pattern.compile("(?=.{4,253}$)([^.]+\\.)+(?!\\d+$)[^.]{2,}");

  /** What keeps the text from being an address, as the end of a sentence; empty if it is one. */
  static Optional<String> problemWith(String text) {
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      return Optional.of("must be at most " + MAX_BYTES + " bytes long");
    }
    return isAddress(text)
        ? Optional.empty()
        : Optional.of(
            "must be one plain address such as ani@example.com, without a name, spaces or invisible"
                + " characters");
  }

  private static boolean isAddress(String text) {
    int at = text.lastIndexOf('@');
    return at > 0
        && text.codePoints().noneMatch(EmailAddress::isInvisible)
        && isLocalPart(text.substring(0, at))
        && isDomain(text.substring(at + 1));
  }

  private static boolean isInvisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static boolean isLocalPart(String local) {
    return local.getBytes(StandardCharsets.UTF_8).length <= MAX_LOCAL_BYTES
        && local.codePoints().noneMatch(c -> NOT_IN_LOCAL_PART.indexOf(c) >= 0)
        && !local.startsWith(".")
        && !local.endsWith(".")
        && !local.contains("..");
  }

  /** Names in any script, as long as IDNA can spell them for the mail servers. */
  private static boolean isDomain(String domain) {
    if (FOREIGN_DOT.matcher(domain).find()) {
      return false;
    }
    try {
      return DOMAIN.matcher(IDN.toASCII(domain, IDN.USE_STD3_ASCII_RULES)).matches();
    } catch (IllegalArgumentException notADomain) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "(an address)";
  }

  @Converter(autoApply = true)
  static class Column implements AttributeConverter<EmailAddress, String> {

    @Override
    public String convertToDatabaseColumn(EmailAddress address) {
      return address.value();
    }

    @Override
    public EmailAddress convertToEntityAttribute(String column) {
      return new EmailAddress(column);
    }
  }
}
