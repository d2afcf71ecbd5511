package id.kabar.orders.api;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;

/** What is wrong with a document that cannot be read, without a word of what it holds. */
final class JsonFault {

  private JsonFault() {}

  static String sentence(JacksonException fault) {
    String what =
        fault instanceof StreamConstraintsException
            ? "The JSON is nested too deeply or has too long a number"
            : "The body must be one well-formed JSON object in UTF-8, without duplicate fields";
    TokenStreamLocation where = fault.getLocation();
    return where == null
        ? what + "."
        : what + ": line %d, column %d.".formatted(where.getLineNr(), where.getColumnNr());
  }

  /** The field of the document in which reading stopped, if it was in one. */
  static List<InvalidField> fields(JacksonException fault) {
    String name = fault.processor() instanceof JsonParser parser ? outermostName(parser) : null;
    return name == null ? List.of() : List.of(new InvalidField(name, "cannot be read"));
  }

  private static @Nullable String outermostName(JsonParser parser) {
    String name = null;
    for (TokenStreamContext at = parser.streamReadContext(); at != null; at = at.getParent()) {
      name = at.hasCurrentName() ? at.currentName() : name;
    }
    return name;
  }
}
