package id.kabar.notification.email;

import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Currency;
import java.util.Locale;

/**
 * Money as people write it. The separators are spelt out here rather than taken from the JDK's
 * locale data, which changes between versions, while an event must always make the same email.
 */
final class Amount {

  private static final Currency RUPIAH = Currency.getInstance("IDR");

  private Amount() {}

  /**
   * Formats an amount given in the currency's minor unit: {@code Rp 150.000}, {@code USD 12.50},
   * {@code JPY 1,200}. The sen exists in ISO 4217 and on no price tag: it is shown only if there is
   * any.
   */
  static String text(long minorUnits, Currency currency) {
    int digits = Math.max(0, currency.getDefaultFractionDigits());
    BigDecimal amount = BigDecimal.valueOf(minorUnits, digits);
    if (currency.equals(RUPIAH)) {
      boolean whole = amount.stripTrailingZeros().scale() <= 0;
      return "Rp " + format('.', ',', whole ? 0 : digits).format(amount);
    }
    return currency.getCurrencyCode() + " " + format(',', '.', digits).format(amount);
  }

  private static DecimalFormat format(char grouping, char decimal, int digits) {
    DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(Locale.ROOT);
    symbols.setGroupingSeparator(grouping);
    symbols.setDecimalSeparator(decimal);
    DecimalFormat format = new DecimalFormat("#,##0", symbols);
    format.setMinimumFractionDigits(digits);
    format.setMaximumFractionDigits(digits);
    return format;
  }
}
