package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import id.kabar.orders.api.InvalidRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderQueryTest {

  @Test
  void asksForTheNewestTwentyByDefault() {
    OrderQuery query = OrderQuery.of(null, null, null);

    assertThat(query.status()).isNull();
    assertThat(query.limit()).isEqualTo(20);
    assertThat(query.before()).hasToString("ffffffff-ffff-ffff-ffff-ffffffffffff");
  }

  @ParameterizedTest
  @CsvSource({
    "paid,,",
    "'',,",
    "'PAID,PENDING',,",
    ",x,",
    ",'',",
    ",AAAA,",
    ",'AAAAAAAAAAAAAAAAAAAAAAAAAAAA',",
    ",019ad0d2-0000-7000-8000-000000000001,",
    ",,0",
    ",,101",
    ",,-1",
    ",,1.5",
    ",,''",
    ",,' 5'",
    ",,99999999999",
    ",,'1,2'"
  })
  void refusesWhatItDoesNotUnderstand(String status, String after, String limit) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> OrderQuery.of(status, after, limit))
        .withMessage("1 field is at fault.");
  }

  @Test
  void namesEverythingAtFault() {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> OrderQuery.of("x", "x", "x"))
        .withMessage("3 fields are at fault.");
  }
}
