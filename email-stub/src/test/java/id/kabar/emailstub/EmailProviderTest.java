package id.kabar.emailstub;

import static id.kabar.emailstub.Caller.email;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import wiremock.com.fasterxml.jackson.databind.JsonNode;

/** The provider's API as its callers see it, without faults. */
class EmailProviderTest {

  private static final SettableClock CLOCK = new SettableClock();
  private static EmailStub stub;
  private static Caller caller;

  @BeforeAll
  static void startStub() {
    StubSettings settings = StubSettings.of(new String[] {"--port", "0"}, Map.of());
    stub = EmailStub.start(settings, CLOCK, new Random());
    caller = new Caller(stub.port());
  }

  @AfterAll
  static void stopStub() {
    caller.close();
    stub.close();
  }

  @BeforeEach
  void emptyInbox() throws Exception {
    caller.call("DELETE", "/__admin/inbox", "");
  }

  @Test
  void acceptedEmailIsInTheInboxAsItWasSent() throws Exception {
    HttpResponse<String> answer = caller.send("k", email("ann@example.com", "Hé <b>you</b>"));

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.headers().firstValue("Idempotency-Replayed")).isEmpty();
    JsonNode message = caller.inbox().path("messages").path(0);
    assertThat(message)
        .isEqualTo(
            Json.read(
                """
                {"key": "k", "id": "%s", "from": "Kabar <shop@example.com>", "to": "ann@example.com",
                 "subject": "Hé <b>you</b>", "text": "Thank you", "html": "<p>Thank you",
                 "acceptedAt": "2026-11-30T10:00:00Z", "repeats": 0}
                """
                    .formatted(Json.read(answer.body()).path("id").textValue())));
  }

  @Test
  void inboxShowsTheTraceAnEmailCameWith() throws Exception {
    String traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    caller.sendTraced(traceparent, email("ann@example.com"));
    caller.sendTraced("no trace at all", email("bob@example.com"));

    JsonNode messages = caller.inbox().path("messages");
    assertThat(messages.path(1).path("traceparent").textValue()).isEqualTo(traceparent);
    assertThat(messages.path(0).has("traceparent")).isFalse();
  }

  @Test
  void sameKeyAndBodyGetTheFirstAnswerAndNoSecondDelivery() throws Exception {
    HttpResponse<String> first = caller.send("k", email("ann@example.com"));
    HttpResponse<String> second = caller.send("k", email("ann@example.com"));

    assertThat(second.statusCode()).isEqualTo(first.statusCode());
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.headers().firstValue("Idempotency-Replayed")).contains("true");
    assertCounts(caller.inbox("?key=k"), 1, 1, 0, 1);
    assertThat(caller.inbox().path("messages").path(0).path("repeats").intValue()).isEqualTo(1);
  }

  @Test
  void sameKeyWithAnotherBodyIsRefusedAndTheFirstStands() throws Exception {
    caller.send("k", email("ann@example.com", "one"));
    HttpResponse<String> other = caller.send("k", email("ann@example.com", "two"));

    assertProblem(other, 422);
    assertCounts(caller.inbox(), 1, 0, 1, 1);
    assertThat(caller.send("k", email("ann@example.com", "one")).statusCode()).isEqualTo(202);
  }

  @Test
  void ofParallelCallsWithOneKeyExactlyOneIsDelivered() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> calls =
        Stream.generate(() -> caller.sendAsync("k", email("ann@example.com"))).limit(50).toList();

    List<HttpResponse<String>> answers = calls.stream().map(CompletableFuture::join).toList();

    assertThat(answers).extracting(HttpResponse::statusCode).isSubsetOf(202, 409);
    assertThat(answers)
        .filteredOn(answer -> answer.statusCode() == 202)
        .filteredOn(answer -> answer.headers().firstValue("Idempotency-Replayed").isEmpty())
        .hasSize(1);
    assertThat(caller.inbox("?key=k").path("accepted").intValue()).isEqualTo(1);
  }

  @Test
  void withoutKeyEveryCallIsDelivered() throws Exception {
    caller.send(null, email("ann@example.com"));
    caller.send(null, email("ann@example.com"));

    assertCounts(caller.inbox(), 2, 0, 0, 0);
    assertCounts(caller.inbox("?address=ann@example.com"), 2, 0, 0, 0);
  }

  @Test
  void keyIsForgottenWhenItsWindowIsPast() throws Exception {
    HttpResponse<String> first = caller.send("k", email("ann@example.com", "one"));
    CLOCK.advance(Duration.ofHours(24).minusMillis(1));
    HttpResponse<String> within = caller.send("k", email("ann@example.com", "one"));
    CLOCK.advance(Duration.ofMillis(1));
    HttpResponse<String> past = caller.send("k", email("ann@example.com", "two"));

    assertThat(within.body()).isEqualTo(first.body());
    assertThat(past.statusCode()).isEqualTo(202);
    assertThat(past.body()).isNotEqualTo(first.body());
    assertCounts(caller.inbox("?key=k"), 2, 1, 0, 1);
  }

  @Test
  void stubThatIgnoresKeysDeliversEachCall() throws Exception {
    StubSettings settings =
        StubSettings.of(new String[] {"--port", "0"}, Map.of("EMAIL_STUB_IGNORE_KEYS", "true"));
    try (EmailStub careless = EmailStub.start(settings, CLOCK, new Random());
        Caller toCareless = new Caller(careless.port())) {
      toCareless.send("k", email("ann@example.com"));
      HttpResponse<String> again = toCareless.send("k", email("ann@example.com"));

      assertThat(again.statusCode()).isEqualTo(202);
      assertThat(again.headers().firstValue("Idempotency-Replayed")).isEmpty();
      assertCounts(toCareless.inbox("?key=k"), 2, 0, 0, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not json",
        "[]",
        "{}",
        "{\"to\": 7}",
        "{\"to\": \"nobody\"}",
        "{\"to\": \"ann@example.com, bob@example.com\"}",
        "{\"to\": \"ann@example.com\\r\\nBcc: bob@example.com\"}",
        "{\"to\": \"ann@example.com\", \"subject\": \"two\\nlines\"}",
        "{\"to\": \"ann@example.com\", \"text\": {}}",
        "{\"to\": \"ann@example.com\", \"to\": \"bob@example.com\"}",
        "{\"to\": \"ann@example.com\"} and more"
      })
  void whatIsNoEmailIsRefusedWithoutQuotingIt(String body) throws Exception {
    HttpResponse<String> answer = caller.send("k", body);

    assertProblem(answer, 400);
    assertThat(answer.body()).doesNotContain("ann@", "bob@");
    assertCounts(caller.inbox(), 0, 0, 1, 0);
  }

  @Test
  void emailOverOneMegabyteIsRefused() throws Exception {
    assertProblem(caller.send("k", email("ann@example.com", "x".repeat(1024 * 1024))), 413);
  }

  @Test
  void deepNestingIsRefused() throws Exception {
    assertProblem(caller.send("k", "[".repeat(100_000)), 400);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 256})
  void keyOfNoUseIsRefused(int length) throws Exception {
    assertProblem(caller.send("k".repeat(length), email("ann@example.com")), 400);
  }

  @Test
  void inboxIsFilteredByKeyAndByAddress() throws Exception {
    caller.send("1", email("ann+shop@example.com"));
    caller.send("1", email("ann+shop@example.com"));
    caller.send("2", email("bob@example.com"));
    caller.send("3", email("bob@example.com"));

    JsonNode bob = caller.inbox("?address=BOB@example.com");
    assertCounts(bob, 2, 0, 0, 2);
    assertThat(bob.path("messages").findValuesAsText("key")).containsExactly("3", "2");
    assertCounts(caller.inbox("?address=" + Caller.encoded("ann+shop@example.com")), 1, 1, 0, 1);
    assertCounts(caller.inbox("?key=2&address=bob@example.com"), 1, 0, 0, 1);
    assertCounts(caller.inbox("?key=1&address=bob@example.com"), 0, 0, 0, 0);
    assertCounts(caller.inbox("?key=unknown"), 0, 0, 0, 0);
    assertThat(caller.inbox("?countsOnly=true").path("messages")).isEmpty();
    assertThat(caller.inbox("?limit=1").path("messages")).hasSize(1);
  }

  @Test
  void everyKeyIsListedWithItsCountsAndPageByPage() throws Exception {
    for (String key : List.of("a", "\"b\"", "c")) {
      caller.send(key, email("ann@example.com"));
    }
    caller.send("c", email("ann@example.com"));

    List<JsonNode> all = keys("");
    assertThat(all)
        .extracting(key -> key.path("key").textValue())
        .containsExactly("a", "\"b\"", "c");
    assertThat(all).extracting(key -> key.path("accepted").intValue()).containsExactly(1, 1, 1);
    assertThat(all).extracting(key -> key.path("repeated").intValue()).containsExactly(0, 0, 1);
    assertThat(all)
        .extracting(key -> key.path("bodyHash").textValue())
        .containsOnly(Sha256.of(email("ann@example.com").getBytes(UTF_8)).hex());
    assertThat(keys("?limit=1")).isEqualTo(all.subList(0, 1));
    assertThat(keys("?after=a&limit=1")).isEqualTo(all.subList(1, 2));
    assertThat(keys("?after=c")).isEmpty();
    assertProblem(caller.call("GET", "/__admin/inbox/keys?after=unknown", ""), 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"countsOnly=maybe", "limit=-1", "limit=1001", "limit=many"})
  void unclearQuestionToTheInboxIsRefused(String query) throws Exception {
    assertProblem(caller.call("GET", "/__admin/inbox?" + query, ""), 400);
  }

  @Test
  void unknownAddressSaysWhatThereIs() throws Exception {
    HttpResponse<String> answer = caller.call("GET", "/v1/messages", "");

    assertProblem(answer, 404);
    assertThat(answer.body()).contains("POST /v1/messages");
  }

  @Test
  void stubIsHealthyAndSurvivesAResetOfItsMappings() throws Exception {
    assertThat(caller.call("POST", "/__admin/reset", "").statusCode()).isEqualTo(200);

    assertThat(caller.call("GET", "/__admin/health", "").statusCode()).isEqualTo(200);
    assertThat(caller.send("k", email("ann@example.com")).statusCode()).isEqualTo(202);
  }

  @Test
  void pageNeedsNothingFromElsewhere() throws Exception {
    HttpResponse<String> page = caller.call("GET", "/", "");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'none'; connect-src 'self'");
    assertThat(page.body())
        .contains("<html lang=\"en\">")
        .doesNotContain("http:", "https:", "innerHTML");
  }

  private static List<JsonNode> keys(String query) throws Exception {
    return caller
        .call("GET", "/__admin/inbox/keys" + query, "")
        .body()
        .lines()
        .map(Json::read)
        .toList();
  }

  static void assertCounts(JsonNode inbox, int accepted, int repeated, int refused, int keys) {
    assertThat(
            List.of("accepted", "repeated", "refused", "keys").stream()
                .map(count -> inbox.path(count).intValue()))
        .as("accepted, repeated, refused, keys")
        .containsExactly(accepted, repeated, refused, keys);
  }

  static void assertProblem(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(Json.read(answer.body()).path("type").textValue())
        .startsWith("https://kabar.id/problems/");
    assertThat(Json.read(answer.body()).path("status").intValue()).isEqualTo(status);
  }
}
