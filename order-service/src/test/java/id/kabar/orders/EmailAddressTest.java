package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmailAddressTest {

  private static final String DOMAIN_OF_189 =
      "a".repeat(63) + "." + "b".repeat(63) + "." + "c".repeat(57) + ".com";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ani@example.com",
        "a@b.co",
        "o'brien+invoices@mail.example.co.id",
        "\"ani\"@example.com",
        "#!$%&'*/=?^_`{|}~@example.com",
        "ani@exämple.com",
        "阿妮@例子.测试",
        "😀@example.com",
        "ani@xn--exmple-cua.com"
      })
  void isOnePlainAddressInAnyScript(String text) {
    assertThat(EmailAddress.problemWith(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ani",
        "@example.com",
        "ani@",
        "ani@localhost",
        "ani@example..com",
        "ani@.example.com",
        "ani@example.com.",
        "ani@-example.com",
        "ani@exam_ple.com",
        "ani@[127.0.0.1]",
        "ani@127.0.0.1",
        "ani@example。com",
        "a@b@example.com",
        ".ani@example.com",
        "ani.@example.com",
        "a..ni@example.com",
        "Ani <ani@example.com>",
        "<ani@example.com>",
        "ani@example.com,budi@example.com",
        "ani@example.com;budi@example.com",
        "ani@example.com, budi@example.com",
        "ani@example.com budi@example.com",
        "mailto:ani@example.com",
        "a\\b@example.com",
        "ani(comment)@example.com",
        " ani@example.com",
        "ani@example.com ",
        "ani\u00a0x@example.com",
        "ani@example.com\r\nBcc: budi@example.com",
        "ani\n@example.com",
        "ani\u0000@example.com",
        "ani\u007f@example.com",
        "ani\u202e@example.com",
        "ani\u200b@example.com",
        "ani\ufeff@example.com",
        "ani\u2028@example.com",
        "ani\ud83d@example.com",
        "ani\ude00@example.com",
        "ani@exam\ud83dple.com"
      })
  void isNothingElse(String text) {
    assertThat(EmailAddress.problemWith(text)).isPresent();
  }

  @Test
  void hasAtMost254BytesWith64BeforeTheAt() {
    String longest = "x".repeat(64) + "@" + DOMAIN_OF_189;
    assertThat(longest).hasSize(254);
    assertThat(EmailAddress.problemWith(longest)).isEmpty();

    assertThat(EmailAddress.problemWith("x".repeat(64) + "@d" + DOMAIN_OF_189)).isPresent();
    assertThat(EmailAddress.problemWith("x".repeat(65) + "@example.com")).isPresent();
    assertThat(EmailAddress.problemWith("é".repeat(33) + "@example.com")).isPresent();
    assertThat(EmailAddress.problemWith("x".repeat(1_000_000) + "@example.com")).isPresent();
  }

  @Test
  void showsItselfOnlyWhenAskedByName() {
    EmailAddress address = new EmailAddress("ani@example.com");

    assertThat(address.toString()).doesNotContain("ani");
    assertThat(address.value()).isEqualTo("ani@example.com");
  }
}
