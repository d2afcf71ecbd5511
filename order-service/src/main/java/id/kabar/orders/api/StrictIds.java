package id.kabar.orders.api;

import java.beans.PropertyEditorSupport;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/** Reads ids in their one usual form; the JDK takes {@code 1-1-1-1-1} for a UUID as well. */
@ControllerAdvice
class StrictIds {

  private static final Pattern CANONICAL =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  @InitBinder
  void readIds(WebDataBinder binder) {
    binder.registerCustomEditor(
        UUID.class,
        new PropertyEditorSupport() {
          @Override
          public void setAsText(String text) {
            if (!CANONICAL.matcher(text).matches()) {
              throw new IllegalArgumentException("not a UUID");
            }
            setValue(UUID.fromString(text));
          }
        });
  }
}
