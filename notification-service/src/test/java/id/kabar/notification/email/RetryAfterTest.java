package id.kabar.notification.email;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-11-30T10:00:00Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0                             | PT0S
          7                             | PT7S
          300                           | PT5M
          86400                         | PT5M
          999999999999999999999999      | PT5M
          Mon, 30 Nov 2026 10:00:30 GMT | PT30S
          Mon, 30 Nov 2026 09:00:00 GMT | PT0S
          Thu, 31 Dec 2099 00:00:00 GMT | PT5M
          """)
  void theWaitIsWhatWasAskedForWithinReason(String header, Duration wait) {
    assertThat(RetryAfter.parse(header, NOW)).isEqualTo(wait);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-5", "1.5", "7;8"})
  void whatIsNeitherSecondsNorADateIsNoWait(String header) {
    assertThat(RetryAfter.parse(header, NOW)).isNull();
  }

  @Test
  void noHeaderIsNoWait() {
    assertThat(RetryAfter.parse(null, NOW)).isNull();
  }
}
