package id.kabar.emailstub;

import static id.kabar.emailstub.Caller.email;
import static id.kabar.emailstub.EmailProviderTest.assertCounts;
import static id.kabar.emailstub.EmailProviderTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers see of each fault, and what the inbox has afterwards. */
class FaultsTest {

  private static EmailStub stub;
  private static Caller caller;

  @BeforeAll
  static void startStub() {
    StubSettings settings = StubSettings.of(new String[] {"--port", "0"}, Map.of());
    stub = EmailStub.start(settings, Clock.systemUTC(), new Random(42));
    caller = new Caller(stub.port());
  }

  @AfterAll
  static void stopStub() {
    caller.close();
    stub.close();
  }

  @BeforeEach
  void noFaultAndNoEmail() throws Exception {
    caller.noFault();
    caller.call("DELETE", "/__admin/inbox", "");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 408, 422, 429, 500, 503, 599})
  void statusIsAnsweredAndNothingIsDelivered(int status) throws Exception {
    caller.givenFault("{\"mode\": \"status\", \"status\": %d}".formatted(status));

    assertProblem(caller.send("k", email("ann@example.com")), status);
    assertCounts(caller.inbox(), 0, 0, 1, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "5, 5",
    "'\"5\"', 5",
    "'\"Fri, 31 Dec 1999 23:59:59 GMT\"', 'Fri, 31 Dec 1999 23:59:59 GMT'"
  })
  void retryAfterIsSentWordForWord(String given, String sent) throws Exception {
    caller.givenFault(
        "{\"mode\": \"status\", \"status\": 429, \"retryAfter\": %s}".formatted(given));

    assertThat(caller.send("k", email("ann@example.com")).headers().firstValue("Retry-After"))
        .contains(sent);
  }

  @Test
  void statusAfterAcceptingHidesADelivery() throws Exception {
    caller.givenFault("{\"mode\": \"status\", \"status\": 503, \"afterAccepting\": true}");
    assertProblem(caller.send("k", email("ann@example.com")), 503);
    assertCounts(caller.inbox(), 1, 0, 1, 1);

    caller.noFault();
    HttpResponse<String> again = caller.send("k", email("ann@example.com"));
    assertThat(again.statusCode()).isEqualTo(202);
    assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
    assertCounts(caller.inbox(), 1, 1, 1, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reset", "empty", "malformed", "garbage"})
  void brokenAnswerIsNoAnswerAndNothingIsDelivered(String mode) throws Exception {
    caller.givenFault("{\"mode\": \"%s\"}".formatted(mode));

    assertThatThrownBy(() -> caller.send("k", email("ann@example.com")))
        .isInstanceOf(IOException.class);
    assertCounts(caller.inbox(), 0, 0, 1, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reset", "empty", "malformed", "garbage"})
  void brokenAnswerAfterAcceptingHidesADelivery(String mode) throws Exception {
    caller.givenFault("{\"mode\": \"%s\", \"afterAccepting\": true}".formatted(mode));
    assertThatThrownBy(() -> caller.send("k", email("ann@example.com")))
        .isInstanceOf(IOException.class);

    caller.noFault();
    assertThat(caller.send("k", email("ann@example.com")).statusCode()).isEqualTo(202);
    assertCounts(caller.inbox(), 1, 1, 1, 1);
  }

  @Test
  void delayEndsInTheNormalAnswer() throws Exception {
    caller.givenFault("{\"mode\": \"delay\", \"delayMillis\": 300}");
    long start = System.nanoTime();

    assertThat(caller.send("k", email("ann@example.com")).statusCode()).isEqualTo(202);

    assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    assertCounts(caller.inbox(), 1, 0, 0, 1);
  }

  @Test
  void delayedCallIsInFlightUntilItsEmailIsDelivered() throws Exception {
    caller.givenFault("{\"mode\": \"delay\", \"delayMillis\": 4000}");

    List<CompletableFuture<HttpResponse<String>>> calls =
        Stream.generate(() -> caller.sendAsync("k", email("ann@example.com"))).limit(10).toList();
    CompletableFuture.anyOf(calls.toArray(CompletableFuture[]::new)).join();
    assertThat(caller.inbox().path("accepted").intValue()).isZero();

    List<HttpResponse<String>> answers = calls.stream().map(CompletableFuture::join).toList();
    assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(202, 409);
    assertThat(caller.inbox().path("accepted").intValue()).isEqualTo(1);
  }

  @Test
  void delayAfterAcceptingDeliversAtOnceAndAnswersRetries() throws Exception {
    caller.givenFault("{\"mode\": \"delay\", \"delayMillis\": 60000, \"afterAccepting\": true}");
    assertThatThrownBy(() -> caller.send("k", email("ann@example.com"), Duration.ofMillis(500)))
        .isInstanceOf(HttpTimeoutException.class);
    assertCounts(caller.inbox(), 1, 0, 0, 1);

    caller.noFault();
    assertThat(caller.send("k", email("ann@example.com")).statusCode()).isEqualTo(202);
  }

  @Test
  void callerWhoGaveUpIsDeliveredAllTheSame() throws Exception {
    caller.givenFault("{\"mode\": \"delay\", \"delayMillis\": 800}");
    assertThatThrownBy(() -> caller.send("k", email("ann@example.com"), Duration.ofMillis(200)))
        .isInstanceOf(HttpTimeoutException.class);

    await().until(() -> caller.inbox().path("accepted").intValue() == 1);
  }

  @Test
  void repeatedAnswerDoesNotBringBackTheDelayOfTheFirst() throws Exception {
    caller.givenFault("{\"mode\": \"delay\", \"delayMillis\": 3000, \"afterAccepting\": true}");
    HttpResponse<String> first = caller.send("k", email("ann@example.com"));
    caller.noFault();

    long start = System.nanoTime();
    HttpResponse<String> second = caller.send("k", email("ann@example.com"));

    assertThat(second.body()).isEqualTo(first.body());
    assertThat(since(start)).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void repeatSuffersFromTheFaultInForceNow() throws Exception {
    caller.send("k", email("ann@example.com"));
    caller.givenFault("{\"mode\": \"delay\", \"delayMillis\": 300}");

    long start = System.nanoTime();
    assertThat(caller.send("k", email("ann@example.com")).statusCode()).isEqualTo(202);

    assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    assertCounts(caller.inbox(), 1, 1, 0, 1);
  }

  @Test
  void drippingAnswerStartsEarlyAndEndsLate() throws Exception {
    caller.givenFault("{\"mode\": \"drip\", \"delayMillis\": 4000}");

    assertThatThrownBy(
            () -> caller.sendAsync("k", email("ann@example.com")).get(700, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    // The headers are there long before: a client's time-out on them does not notice.
    HttpResponse<String> answer = caller.send("k", email("ann@example.com"), Duration.ofSeconds(3));

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.body()).contains("\"id\"");
    assertCounts(caller.inbox(), 1, 1, 0, 1);
  }

  @Test
  void shareOfZeroStrikesNobodyAndAHalfAboutAHalf() throws Exception {
    caller.givenFault("{\"mode\": \"status\", \"status\": 503, \"share\": 0}");
    assertThat(caller.send(null, email("ann@example.com")).statusCode()).isEqualTo(202);

    caller.givenFault("{\"mode\": \"status\", \"status\": 503, \"share\": 0.5}");
    int struck = 0;
    for (int i = 0; i < 200; i++) {
      struck += caller.send(null, email("ann@example.com")).statusCode() == 503 ? 1 : 0;
    }
    assertThat(struck).isBetween(70, 130);
  }

  @Test
  void faultStrikesOnlyMatchingAddresses() throws Exception {
    caller.givenFault(
        "{\"mode\": \"status\", \"status\": 503, \"address\": \"@slow\\\\.example$\"}");

    assertThat(caller.send("1", email("ann@slow.example")).statusCode()).isEqualTo(503);
    assertThat(caller.send("2", email("ann@slow.example.com")).statusCode()).isEqualTo(202);
  }

  @Test
  void firstMatchingFaultOfAListStrikes() throws Exception {
    caller.givenFault(
        """
        [{"mode": "status", "status": 422, "address": "poison"}, {"mode": "status", "status": 503}]
        """);

    assertThat(caller.send("1", email("poison@example.com")).statusCode()).isEqualTo(422);
    assertThat(caller.send("2", email("ann@example.com")).statusCode()).isEqualTo(503);
  }

  @Test
  void faultsInForceAreShownReplacedAndEnded() throws Exception {
    caller.givenFault("{\"mode\": \"delay\"}");
    caller.givenFault(
        "{\"mode\": \"status\", \"status\": 429, \"retryAfter\": \"5\", \"address\": \"a+\"}");
    assertThat(Json.read(caller.call("GET", "/__admin/faults", "").body()))
        .isEqualTo(
            Json.read(
                """
                [{"mode": "status", "status": 429, "retryAfter": "5", "afterAccepting": false,
                  "share": 1.0, "address": "a+"}]
                """));

    assertThat(caller.call("DELETE", "/__admin/faults", "").statusCode()).isEqualTo(204);
    assertThat(caller.call("GET", "/__admin/faults", "").body()).isEqualTo("[]");
    assertThat(caller.send("k", email("ann@example.com")).statusCode()).isEqualTo(202);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nonsense                                              | not valid JSON
          7                                                     | Send a fault
          {}                                                    | 'mode' must be one of status, delay
          {"mode": "explode"}                                   | 'mode' must be one of status, delay
          {"mode": 1}                                           | 'mode' must be text
          {"mode": "status"}                                    | needs a 'status'
          {"mode": "status", "status": 199}                     | from 200 to 599
          {"mode": "status", "status": 600}                     | from 200 to 599
          {"mode": "status", "status": "503"}                   | whole number
          {"mode": "reset", "status": 503}                      | belongs to mode status
          {"mode": "status", "status": 503, "delayMillis": 5}   | belongs to modes delay and drip
          {"mode": "delay", "delayMillis": 0}                   | from 1 to 600000
          {"mode": "delay", "delayMillis": 600001}              | from 1 to 600000
          {"mode": "delay", "retryAfter": "5"}                  | belongs to mode status
          {"mode": "status", "status": 429, "retryAfter": "\\n"}| cannot be sent as a header
          {"mode": "reset", "share": 1.5}                       | from 0 (no call) to 1
          {"mode": "reset", "share": "half"}                    | from 0 (no call) to 1
          {"mode": "reset", "afterAccepting": "yes"}            | true or false
          {"mode": "reset", "address": "("}                     | regular expression
          {"mode": "reset", "when": "now"}                      | has no 'when'
          [{"mode": "reset"}, 7]                                | Send a fault
          """)
  void unclearFaultIsRefusedAndTheOldOneStays(String fault, String reason) throws Exception {
    caller.givenFault("{\"mode\": \"status\", \"status\": 503}");

    HttpResponse<String> answer = caller.call("PUT", "/__admin/faults", fault);

    assertProblem(answer, 400);
    assertThat(Json.read(answer.body()).path("detail").textValue()).contains(reason);
    assertThat(caller.call("GET", "/__admin/faults", "").body()).contains("503");
  }

  @Test
  void everyFaultOfTheReadmeIsUnderstood() throws Exception {
    List<String> shown =
        Pattern.compile("\\[?\\{\"mode\".*\\}\\]?")
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .map(MatchResult::group)
            .toList();

    assertThat(shown).hasSizeGreaterThan(7).allSatisfy(fault -> caller.givenFault(fault));
  }

  @Test
  void sameSeedStrikesTheSameCalls() {
    assertThat(draws(new Faults(new Random(7)))).isEqualTo(draws(new Faults(new Random(7))));
  }

  private static List<Boolean> draws(Faults faults) {
    faults.replaceWith(FaultReader.read("{\"mode\": \"reset\", \"share\": 0.3}"));
    return Stream.generate(() -> faults.striking("ann@example.com").isPresent())
        .limit(100)
        .toList();
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
