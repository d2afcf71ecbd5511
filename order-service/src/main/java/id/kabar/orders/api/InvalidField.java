package id.kabar.orders.api;

/**
 * A field at fault, and why.
 *
 * @param field its name as the client wrote it, made printable and cut at 64 characters
 * @param message the end of a sentence that starts with the field
 */
public record InvalidField(String field, String message) {

  private static final int MAX_NAME = 64;

  public InvalidField {
    field =
        field
            .substring(0, Math.min(field.length(), MAX_NAME))
            .replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", "?");
  }
}
