package id.kabar.notification.email;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Currency;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          IDR | 15000000         | Rp 150.000
          IDR | 15000050         | Rp 150.000,50
          IDR | 1                | Rp 0,01
          USD | 1250             | USD 12.50
          EUR | 100000           | EUR 1,000.00
          JPY | 1200             | JPY 1,200
          KWD | 1500             | KWD 1.500
          XXX | 5                | XXX 5
          IDR | 9007199254740991 | Rp 90.071.992.547.409,91
          """)
  void moneyLooksAsItDoesOnAPriceTag(String currency, long minorUnits, String text) {
    assertThat(Amount.text(minorUnits, Currency.getInstance(currency))).isEqualTo(text);
  }
}
