package id.kabar.notification.email;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import id.kabar.notification.event.OrderPaid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/**
 * Writes the email that tells a customer of the payment, from the templates in {@code email/}. The
 * same event always makes the same bytes: the provider refuses another body under a known key.
 */
@Component
class PaymentEmails {

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final Template subject = template("subject.txt", false);
  private final Template text = template("body.txt", false);
  private final Template html = template("body.html", true);
  private final EmailSettings settings;

  PaymentEmails(EmailSettings settings) {
    this.settings = settings;
  }

  Email of(OrderPaid paid) {
    Map<String, String> facts =
        Map.of(
            "orderId", paid.orderId().toString(),
            "amount", Amount.text(paid.totalAmount(), paid.currency()),
            "paidAt", DATE.format(paid.paidAt()));
    return new Email(
        settings.from(),
        paid.customerEmail(),
        subject.execute(facts).strip(),
        text.execute(facts),
        html.execute(facts));
  }

  private static Template template(String name, boolean escapeHtml) {
    try {
      String source =
          new ClassPathResource("email/payment-received/" + name)
              .getContentAsString(StandardCharsets.UTF_8);
      return Mustache.compiler().escapeHTML(escapeHtml).strictSections(true).compile(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
