package id.kabar.orders;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import id.kabar.orders.Shop.Answer;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

@WholeService
class BadInputIT {

  private static final String GOOD =
      """
      {"customerEmail": "ani@example.com", "totalAmount": 15000000}
      """;

  @Autowired Shop shop;
  private long ordersBefore;

  @BeforeEach
  void countOrders() {
    ordersBefore = orders();
  }

  static Stream<Arguments> documents() {
    return Stream.of(
        arguments("{}", List.of("customerEmail", "totalAmount")),
        arguments(
            "{'customerEmail': 1, 'totalAmount': 1.5, 'currency': 'idr', 'x': 1, 'y': null}",
            List.of("customerEmail", "totalAmount", "currency", "x", "y")),
        arguments(
            "{'customerEmail': 'a@b.co, c@d.co', 'totalAmount': 1}", List.of("customerEmail")),
        arguments(
            "{'customerEmail': 'a@b.co\\r\\nBcc: c@d.co', 'totalAmount': 1}",
            List.of("customerEmail")),
        arguments("{'customerEmail': 'a\\u0000@b.co', 'totalAmount': 1}", List.of("customerEmail")),
        arguments("{'customerEmail': '\\ud83d@b.co', 'totalAmount': 1}", List.of("customerEmail")),
        arguments(
            "{'customerEmail': '%s@b.co', 'totalAmount': 1}".formatted("a".repeat(255)),
            List.of("customerEmail")),
        arguments("{'customerEmail': ['a@b.co'], 'totalAmount': 1}", List.of("customerEmail")),
        arguments("{'customerEmail': {'a': 'a@b.co'}, 'totalAmount': 1}", List.of("customerEmail")),
        arguments("{'customerEmail': 'a@b.co', 'totalAmount': 0}", List.of("totalAmount")),
        arguments("{'customerEmail': 'a@b.co', 'totalAmount': -1}", List.of("totalAmount")),
        arguments("{'customerEmail': 'a@b.co', 'totalAmount': 10.5}", List.of("totalAmount")),
        arguments("{'customerEmail': 'a@b.co', 'totalAmount': '10'}", List.of("totalAmount")),
        arguments(
            "{'customerEmail': 'a@b.co', 'totalAmount': 9007199254740992}", List.of("totalAmount")),
        arguments(
            "{'customerEmail': 'a@b.co', 'totalAmount': %s}".formatted("9".repeat(900)),
            List.of("totalAmount")),
        arguments(
            "{'customerEmail': 'a@b.co', 'totalAmount': 1, 'currency': 'XXX'}",
            List.of("currency")),
        arguments(
            "{'customerEmail': 'a@b.co', 'totalAmount': 1, 'totalamount': 2}",
            List.of("totalamount")),
        arguments("{'customerEmail': 'a@b.co', 'totalAmount': 1, '\\u0000': 2}", List.of("?")),
        arguments(
            "{'customerEmail': 'a@b.co', 'totalAmount': %s}".formatted("9".repeat(60_000)),
            List.of("totalAmount")),
        arguments(
            "{'customerEmail': %s%s, 'totalAmount': 1}"
                .formatted("[".repeat(30_000), "]".repeat(30_000)),
            List.of("customerEmail")),
        arguments(
            "{'customerEmail': 'a@b.co', 'totalAmount': 1, 'x': %s1%s}"
                .formatted("{'a':".repeat(10_000), "}".repeat(10_000)),
            List.of("x")),
        arguments(
            "{'customerEmail': 'a@b.co', 'totalAmount': 1, '%s': 2}".formatted("n".repeat(1000)),
            List.of("n".repeat(64))));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyFieldAtFaultIsNamed(String document, List<String> fields) {
    Answer answer = shop.post("/orders", document.replace('\'', '"'));

    assertRefused(answer, 400, "invalid-request");
    assertThat(answer.fieldsAtFault()).containsExactlyElementsOf(fields);
    assertThat(answer.json().get("errors").get(0).get("message").stringValue()).isNotBlank();
  }

  static Stream<Arguments> brokenDocuments() {
    return Stream.of(
        arguments("{", List.of()),
        arguments("customerEmail=a@b.co", List.of()),
        arguments(GOOD + GOOD, List.of()),
        arguments("{'customerEmail': 'a@b.co', 'totalAmount': 01}", List.of("totalAmount")),
        arguments("{'customerEmail': 'a@b.co', 'totalAmount': NaN}", List.of("totalAmount")),
        arguments("{'customerEmail': 'a@b.co", List.of("customerEmail")),
        arguments("{'totalAmount': 1, 'totalAmount': 2}", List.of("totalAmount")),
        arguments("{'customerEmail': %s".formatted("[".repeat(30_000)), List.of("customerEmail")),
        arguments(
            "{'customerEmail': %s".formatted("{'a':".repeat(10_000)), List.of("customerEmail")),
        arguments(
            "{'customerEmail': 'a@b.co', 'totalAmount': 1, '\\ud83d': 2}", List.of("totalAmount")));
  }

  @ParameterizedTest
  @MethodSource("brokenDocuments")
  void whatCannotBeReadSaysWhere(String document, List<String> fields) {
    Answer answer = shop.post("/orders", document.replace('\'', '"'));

    assertRefused(answer, 400, "malformed-json");
    assertThat(answer.fieldsAtFault()).containsExactlyElementsOf(fields);
    assertThat(answer.json().get("detail").stringValue()).contains("line").doesNotContain("a@b.co");
  }

  @Test
  void bytesThatAreNoUtf8AreMalformed() {
    byte[] latin1 = "{\"customerEmail\": \"\u00e9@b.co\", \"totalAmount\": 1}".getBytes(ISO_8859_1);

    assertRefused(post(BodyPublishers.ofByteArray(latin1)), 400, "malformed-json");
  }

  @Test
  void anEmptyBodyIsRefused() {
    assertRefused(post(BodyPublishers.noBody()), 400, "invalid-request");
  }

  @Test
  void aBodyHasAtMost64KilobytesWithOrWithoutItsLengthAnnounced() {
    byte[] tooLarge = padded(64 * 1024 + 1);
    byte[] megabyte = padded(1024 * 1024);

    assertRefused(post(BodyPublishers.ofByteArray(tooLarge)), 413, "body-too-large");
    assertRefused(post(BodyPublishers.ofByteArray(megabyte)), 413, "body-too-large");
    assertRefused(post(chunked(tooLarge)), 413, "body-too-large");
    assertRefused(post(chunked(megabyte)), 413, "body-too-large");
    assertRefused(
        shop.send(
            shop.request(shop.port(), "/orders")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "large")
                .POST(chunked(megabyte))),
        413,
        "body-too-large");

    assertThat(post(BodyPublishers.ofByteArray(padded(64 * 1024))).status()).isEqualTo(201);
    assertThat(post(chunked(padded(64 * 1024))).status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/xml", "application/x-www-form-urlencoded"})
  void aBodyOfAnotherMediaTypeIsRefused(String type) {
    Answer answer =
        shop.send(
            shop.request(shop.port(), "/orders")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(GOOD)));

    assertRefused(answer, 415, "unsupported-media-type");
  }

  @Test
  void anAnswerOfAnotherMediaTypeIsNotToBeHad() {
    assertRefused(shop.get("/orders", "Accept", "text/html"), 406, "not-acceptable");
    assertRefused(shop.post("/orders", GOOD, "Accept", "application/xml"), 406, "not-acceptable");
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /orders",
    "DELETE, /orders",
    "GET, /orders/019ad0d2-0000-7000-8000-000000000001/pay",
    "PATCH, /orders/019ad0d2-0000-7000-8000-000000000001",
    "FOO, /orders"
  })
  void anotherMethodIsRefusedAndTheRightOnesAreNamed(String method, String path) {
    Answer answer =
        shop.send(
            shop.request(shop.port(), path).method(method, HttpRequest.BodyPublishers.noBody()));

    assertRefused(answer, 405, "method-not-allowed");
    assertThat(answer.header("Allow")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/order", "/orders/", "/actuator", "/actuator/health", "/error", "/x.html"})
  void whereNothingIsNothingIsFound(String path) {
    assertRefused(shop.get(path), 404, "not-found");
    assertRefused(shop.get(path, "Accept", "text/html"), 404, "not-found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"42", "1-1-1-1-1", "019ad0d2-0000-7000-8000-00000000000g", "%20", "a;b=c"})
  void anIdThatIsNoneIsNamed(String id) {
    for (Answer answer : List.of(shop.get("/orders/" + id), shop.pay(id), shop.cancel(id))) {
      assertRefused(answer, 400, "invalid-request");
      assertThat(answer.fieldsAtFault()).containsExactly("id");
    }
  }

  @Test
  void aQueryThatIsWrongIsNamed() {
    Answer answer = shop.get("/orders?status=paid&after=x&limit=1000");

    assertRefused(answer, 400, "invalid-request");
    assertThat(answer.fieldsAtFault()).containsExactly("status", "after", "limit");
    assertThat(shop.get("/orders?limit=1&limit=2").fieldsAtFault()).containsExactly("limit");
  }

  static Stream<String> rawRequests() {
    return Stream.of(
        "GET /orders/{ HTTP/1.1\nHost: localhost",
        "GET /orders/%00 HTTP/1.1\nHost: localhost",
        "GET /orders/%zz HTTP/1.1\nHost: localhost",
        "GET /orders/a%2Fb HTTP/1.1\nHost: localhost",
        "GET /../orders HTTP/1.1\nHost: localhost",
        "GET /orders HTTP/1.1",
        "GET /orders HTTP/1.1\nHost: a\nHost: b",
        "GET /orders HTTP/1.1\nHost: localhost\nX: " + "x".repeat(20_000),
        "POST /orders HTTP/1.1\nHost: localhost\nContent-Length: -1",
        "POST /orders HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: x");
  }

  @ParameterizedTest
  @MethodSource("rawRequests")
  void evenWhatIsHardlyHttpIsAnsweredWithAProblem(String head) {
    Answer answer = new RawClient(shop.port()).send(head);

    assertThat(answer.status()).isBetween(400, 499);
    assertRefused(answer, answer.status(), "invalid-request");
  }

  @Test
  void aBodyOfBrokenChunksIsAnsweredWithAProblem() {
    Answer answer =
        new RawClient(shop.port())
            .send(
                """
                POST /orders HTTP/1.1
                Host: localhost
                Content-Type: application/json
                Transfer-Encoding: chunked
                """,
                "zz\r\n{}\r\n0\r\n\r\n".getBytes(UTF_8));

    assertRefused(answer, 400, "invalid-request");
  }

  @Test
  void aKeyThatIsNotAsciiIsNamed() {
    Answer answer =
        new RawClient(shop.port())
            .send(
                """
                POST /orders HTTP/1.1
                Host: localhost
                Content-Type: application/json
                Idempotency-Key: caf\u00e9
                Content-Length: 2
                """,
                "{}".getBytes(UTF_8));

    assertRefused(answer, 400, "invalid-request");
    assertThat(answer.fieldsAtFault()).containsExactly("Idempotency-Key");
  }

  private void assertRefused(Answer answer, int status, String type) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Content-Type").orElse("")).startsWith("application/problem+json");
    assertThat(answer.type()).isEqualTo(type);
    assertThat(answer.json().get("status").intValue()).isEqualTo(status);
    assertThat(answer.json().get("title").stringValue()).isNotBlank();
    assertThat(answer.body())
        .doesNotContain("Exception", "id.kabar.orders", "tools.jackson", "org.");
    assertThat(orders()).isEqualTo(ordersBefore);
  }

  private long orders() {
    return shop.sql().sql("select count(*) from orders").query(Long.class).single();
  }

  private Answer post(BodyPublisher body) {
    return shop.send(
        shop.request(shop.port(), "/orders").header("Content-Type", "application/json").POST(body));
  }

  private static BodyPublisher chunked(byte[] body) {
    return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
  }

  private static byte[] padded(int length) {
    byte[] body = Arrays.copyOf(GOOD.getBytes(UTF_8), length);
    Arrays.fill(body, GOOD.length(), length, (byte) ' ');
    return body;
  }
}
