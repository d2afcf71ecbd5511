package id.kabar.notification.email;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.notification.event.OrderPaid;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PaymentEmailsTest {

  private static final EmailSettings SETTINGS =
      new EmailSettings(
          URI.create("http://localhost"),
          "no-reply@kabar.id",
          Duration.ofSeconds(2),
          Duration.ofSeconds(3),
          Duration.ofHours(24),
          0);

  private static final OrderPaid PAID =
      new OrderPaid(
          UUID.fromString("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e01"),
          UUID.fromString("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e02"),
          "budi@example.com",
          15_000_000,
          Currency.getInstance("IDR"),
          Instant.parse("2026-11-30T10:15:30Z"));

  private final PaymentEmails emails = new PaymentEmails(SETTINGS);

  @Test
  void theCustomerReadsWhatWasPaid() {
    Email email = emails.of(PAID);
    assertThat(email.to()).isEqualTo("budi@example.com");
    assertThat(email.from()).isEqualTo("no-reply@kabar.id");
    assertThat(email.subject())
        .isEqualTo("Payment received for order 01939c5a-7a3e-7c11-8a52-3f1d2b6c9e02");
    assertThat(email.text())
        .contains(
            "01939c5a-7a3e-7c11-8a52-3f1d2b6c9e02", "Rp 150.000", "30 November 2026, 10:15 UTC");
    assertThat(email.html())
        .startsWith("<!doctype html>")
        .contains("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e02", "Rp 150.000");
  }

  @Test
  void noPartShowsTheAddress() {
    Email email = emails.of(PAID);
    assertThat(email.subject() + email.text() + email.html() + email).doesNotContain("budi");
  }

  @Test
  void nothingIsLeftUnfilled() {
    Email email = emails.of(PAID);
    assertThat(email.subject() + email.text() + email.html()).doesNotContain("{{", "}}", "null");
  }

  @Test
  void theSameEventMakesTheSameBytes() {
    assertThat(new PaymentEmails(SETTINGS).of(PAID)).isEqualTo(emails.of(PAID));
  }

  @Test
  void theSubjectIsOneLine() {
    assertThat(emails.of(PAID).subject()).doesNotContainPattern("\\p{Cntrl}");
  }
}
