package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator can do with dead letters, and what nobody else can. */
class OperatorIT extends OperatedService {

  @Test
  void aLetterIsDiscardedWithAReason() {
    UUID event = rejected();
    long id = idOf(event);
    assertThat(operator().post("/dead-letters/" + id + "/discard", "{}").status()).isEqualTo(400);
    assertThat(
            operator()
                .post("/dead-letters/" + id + "/discard", "{\"reason\":\"customer left\"}")
                .json()
                .get("state")
                .stringValue())
        .isEqualTo("DISCARDED");
    assertThat(operator().post("/dead-letters/" + id + "/replay", null).status()).isEqualTo(409);
    var act = operator().get("/dead-letters/" + id).json().get("history").get(0);
    assertThat(act.get("action").stringValue()).isEqualTo("DISCARD");
    assertThat(act.get("operator").stringValue()).isEqualTo("operator");
    assertThat(act.get("reason").stringValue()).isEqualTo("customer left");
  }

  @Test
  void theAddressIsMaskedUnlessTheWholeIsAskedForWhichIsAudited() {
    UUID event = rejected();
    long id = idOf(event);
    String list = operator().get("/dead-letters?cause=REJECTED").body();
    String masked = operator().get("/dead-letters/" + id).body();
    assertThat(list + masked).doesNotContain(OrderPaidRecords.ADDRESS);
    assertThat(masked).contains("s***@pelanggan.example");

    assertThat(operator().get("/dead-letters/" + id + "?full=true").body())
        .contains(OrderPaidRecords.ADDRESS, "ce_type", "\"action\":\"SHOW\"");
    assertThat(operator().get("/dead-letters/" + id).body()).contains("\"action\":\"SHOW\"");
  }

  @Test
  void lettersAreListedFilteredAndCounted() {
    UUID event = rejected();
    String order =
        jdbc.sql("select order_id from dead_letter where event_id = ?")
            .param(event)
            .query(String.class)
            .single();
    var page = operator().get("/dead-letters?state=OPEN&limit=1&orderId=" + order).json();
    assertThat(page.get("letters")).hasSize(1);
    assertThat(page.get("letters").get(0).get("eventId").stringValue()).isEqualTo(event.toString());
    long next = page.get("next").longValue();
    assertThat(
            operator()
                .get("/dead-letters?limit=1&orderId=%s&after=%d".formatted(order, next))
                .json()
                .get("letters"))
        .isEmpty();
    assertThat(operator().get("/dead-letters/causes").json().get("REJECTED").get("OPEN").intValue())
        .isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET  | /dead-letters?cause=BAD        |                  | 400 | bad-request        | one of [POISON
          GET  | /dead-letters?limit=0          |                  | 400 | bad-request        | between 1 and 500
          GET  | /dead-letters?since=yesterday  |                  | 400 | bad-request        | since
          GET  | /dead-letters/9999999          |                  | 404 | no-such-letter     | 9999999
          GET  | /dead-letters/x                |                  | 400 | bad-request        | id
          POST | /dead-letters/9999999/replay   |                  | 404 | no-such-letter     | 9999999
          POST | /dead-letters/replay           | {"couse":"BAD"}  | 400 | bad-request        | couse: not known here
          POST | /dead-letters/replay           | {"cause":"BAD"}  | 400 | bad-request        | cause: expected one of [POISON
          POST | /dead-letters/replay           | {"limit":10001}  | 400 | bad-request        | between 1 and 10000
          POST | /dead-letters/replay           | {"perSecond":0}  | 400 | bad-request        | between 1 and 500
          POST | /dead-letters/replay           | {"ids":[]}       | 400 | bad-request        | ids: between 1
          POST | /dead-letters/discard          | {}               | 400 | bad-request        | reason
          GET  | /dead-letters/jobs?limit=0     |                  | 400 | bad-request        | between 1 and 100
          GET  | /dead-letters/jobs/9999999     |                  | 404 | no-such-replay     | 9999999
          POST | /dead-letters/jobs/9999999/cancel |               | 404 | no-such-replay     | 9999999
          POST | /dead-letters/replay           | not json         | 400 | bad-request        | valid JSON
          POST | /dead-letters/replay           | {"state":"DISCARDED"} | 400 | bad-request   | only open letters
          PUT  | /dead-letters                  | {}               | 405 | method-not-allowed |
          GET  | /nothing-here                  |                  | 404 | not-found          |
          """)
  void badInputIsAProblemThatSaysWhatToDo(
      String method, String path, String body, int status, String type, String detail) {
    Operator.Answer answer = operator().send(method, path, body);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.json().get("type").stringValue())
        .isEqualTo("https://kabar.id/problems/" + type);
    if (detail != null) {
      assertThat(answer.json().get("detail").stringValue()).contains(detail);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET  | /dead-letters           |
          GET  | /dead-letters/1         |
          GET  | /dead-letters/causes    |
          POST | /dead-letters/replay    | {}
          POST | /dead-letters/1/replay  | {}
          POST | /dead-letters/1/discard | {}
          POST | /dead-letters/discard   | {}
          GET  | /dead-letters/jobs      |
          POST | /dead-letters/jobs/1/cancel | {}
          GET  | /actuator/metrics       |
          GET  | /actuator/loggers       |
          GET  | /actuator/env           |
          GET  | /dead-letters/          |
          GET  | /dead-letters/page.js   |
          GET  | /                       |
          GET  | /nothing-here           |
          """)
  void nobodyElseIsLetIn(String method, String path, String body) {
    for (String password : new String[] {null, "wrong", ""}) {
      Operator.Answer answer = new Operator(port, password).send(method, path, body);
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.contentType()).isEqualTo("application/problem+json");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/actuator/health",
        "/actuator/health/liveness",
        "/actuator/health/readiness",
        "/actuator/info",
        "/actuator/prometheus"
      })
  void healthAndMetricsAreOpenAndTellNoDetails(String path) {
    Operator.Answer answer = new Operator(port, null).get(path);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain("lastFinished", "jdbc:");
  }

  @Test
  void theOperatorSeesTheListenersDetails() {
    assertThat(operator().get("/actuator/health").body()).contains("lastFinished");
  }

  @Test
  void theMetricsTellTheStory() {
    rejected();
    awaitSent(records().paid());
    eventually()
        .until(
            () ->
                operator()
                    .get("/actuator/prometheus")
                    .body()
                    .contains("notification_dead_letters_open "));
    assertThat(operator().get("/actuator/prometheus").body())
        .contains(
            "notification_sent_total",
            "notification_duplicates_total",
            "notification_dead_lettered_total{cause=\"REJECTED\"",
            "notification_email_seconds",
            "notification_dead_letters_open ",
            "notification_dead_letters_oldest_seconds",
            "notification_last_progress_seconds",
            "resilience4j_circuitbreaker_state");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /dead-letters/discard      | Sec-Fetch-Site | cross-site
          POST | /dead-letters/discard      | Sec-Fetch-Site | same-site
          POST | /dead-letters/discard      | Origin         | https://elsewhere.example
          POST | /dead-letters/discard      | Origin         | null
          GET  | /dead-letters/1?full=true  | Sec-Fetch-Site | cross-site
          GET  | /dead-letters/causes       | Sec-Fetch-Site | cross-site
          """)
  void aPageOfAnotherSiteDoesNotActForTheOperator(
      String method, String path, String header, String value) {
    String body = method.equals("POST") ? "{\"dryRun\":true}" : null;
    Operator.Answer answer = operator().send(method, path, body, header, value);
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.json().get("type").stringValue())
        .isEqualTo("https://kabar.id/problems/cross-site");
  }

  @Test
  void ourOwnPageAndALinkToItAreServed() {
    String here = "http://localhost:" + port;
    String dryRun = "{\"dryRun\":true}";
    assertThat(operator().send("POST", "/dead-letters/discard", dryRun, "Origin", here).status())
        .isEqualTo(200);
    assertThat(
            operator()
                .send("POST", "/dead-letters/discard", dryRun, "Sec-Fetch-Site", "same-origin")
                .status())
        .isEqualTo(200);
    assertThat(
            operator()
                .send(
                    "GET",
                    "/dead-letters/",
                    null,
                    "Sec-Fetch-Site",
                    "cross-site",
                    "Sec-Fetch-Mode",
                    "navigate",
                    "Sec-Fetch-Dest",
                    "document")
                .status())
        .isEqualTo(200);
  }
}
