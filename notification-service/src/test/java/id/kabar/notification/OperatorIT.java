package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator can do with dead letters, and what nobody else can. */
class OperatorIT extends RunningService {

  @Test
  void aReplayedLetterIsOneEmailAndResolved() {
    UUID event = rejected();
    PROVIDER.reset();

    Operator.Answer answer = operator().post("/dead-letters/" + idOf(event) + "/replay", null);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("replays").intValue()).isEqualTo(1);

    awaitLetter(event, "RESOLVED REJECTED");
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
    var records =
        records().all().stream()
            .filter(r -> new String(r.value(), UTF_8).contains(event.toString()))
            .toList();
    assertThat(records).hasSize(2);
    assertThat(records.get(1).key()).isEqualTo(records.get(0).key());
    assertThat(records.get(1).value()).isEqualTo(records.get(0).value());
    assertThat(records.get(1).partition()).isEqualTo(records.get(0).partition());
    assertThat(DeliveryIT.header(records.get(1), "ce_source")).isEqualTo("/order-service");
    assertThat(records.get(1).headers().lastHeader("dead-letter-cause")).isNull();
    assertThat(records.get(1).headers().lastHeader("kafka_dlt-original-topic")).isNull();
  }

  @Test
  void aLetterIsReplayedAtMostAsOftenAsItMayAndThenOnlyByForce() {
    UUID event = rejected();
    long id = idOf(event);
    PROVIDER.answers(422);
    for (int round = 1; round <= 5; round++) {
      replayUntilItIsBack(event, id, round);
    }
    Operator.Answer refused = operator().post("/dead-letters/" + id + "/replay", "{}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.contentType()).isEqualTo("application/problem+json");
    assertThat(refused.json().get("type").stringValue())
        .isEqualTo("https://kabar.id/problems/replay-too-many-replays");

    assertThat(operator().post("/dead-letters/" + id + "/replay", "{\"force\":true}").status())
        .isEqualTo(400);
    PROVIDER.accepts();
    assertThat(
            operator()
                .post(
                    "/dead-letters/" + id + "/replay",
                    "{\"force\":true,\"reason\":\"the address works again\"}")
                .status())
        .isEqualTo(200);
    awaitLetter(event, "RESOLVED REJECTED");
    assertThat(operator().get("/dead-letters/" + id).body())
        .contains("the address works again", "\"operator\":\"operator\"");
  }

  private void replayUntilItIsBack(UUID event, long id, int round) {
    assertThat(operator().post("/dead-letters/" + id + "/replay", null).status()).isEqualTo(200);
    eventually()
        .until(() -> letterOf(event).equals("OPEN REJECTED") && PROVIDER.callsFor(event) == round);
  }

  @Test
  void poisonComesBackToTheSameLetter() {
    UUID order = UUID.randomUUID();
    records().value(order.toString(), "poison", "id.kabar.OrderPaid.v1");
    eventually().until(() -> lettersOf(order).size() == 1);
    long id = lettersOf(order).getFirst();
    assertThat(operator().post("/dead-letters/" + id + "/replay", null).status()).isEqualTo(200);
    eventually()
        .until(
            () -> {
              var letter = operator().get("/dead-letters/" + id).json().get("letter");
              return letter.get("state").stringValue().equals("OPEN")
                  && letter.get("replays").intValue() == 1;
            });
    assertThat(lettersOf(order)).containsExactly(id);
  }

  @Test
  void anUnknownOutcomePastTheKeyWindowIsReplayedOnlyByForceWithAReason() {
    UUID event = rejected();
    long id = idOf(event);
    PROVIDER.reset();
    jdbc.sql(
            "update processed_event set unknown_since = now() - interval '25 h' where event_id = ?")
        .param(event)
        .update();
    assertThat(
            operator()
                .post("/dead-letters/" + id + "/replay", null)
                .json()
                .get("type")
                .stringValue())
        .isEqualTo("https://kabar.id/problems/replay-outcome-unknown");
    assertThat(PROVIDER.callsFor(event)).isZero();

    assertThat(
            operator()
                .post(
                    "/dead-letters/" + id + "/replay",
                    "{\"force\":true,\"reason\":\"asked the customer\"}")
                .status())
        .isEqualTo(200);
    awaitSent(event);
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
  }

  @Test
  void manyOperatorsReplayOneLetterOnce() throws Exception {
    UUID event = rejected();
    long id = idOf(event);
    PROVIDER.reset();
    List<Integer> statuses =
        inParallel(10, () -> operator().post("/dead-letters/" + id + "/replay", null).status());
    assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 409);
    awaitLetter(event, "RESOLVED REJECTED");
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
    assertThat(replaysOf(event)).isEqualTo(1);
  }

  @Test
  void aDryRunTellsWhatWouldHappenAndAReplayByFilterDoesIt() {
    List<UUID> events = rejected(4);
    UUID tooOften = events.get(3);
    jdbc.sql("update dead_letter set replays = 5 where event_id = ?").param(tooOften).update();
    PROVIDER.reset();
    String since = sinceOf(events);

    var dry =
        operator()
            .post(
                "/dead-letters/replay",
                "{\"cause\":\"REJECTED\",\"since\":\"%s\",\"dryRun\":true}".formatted(since))
            .json();
    assertThat(dry.get("dryRun").booleanValue()).isTrue();
    assertThat(dry.get("matched").intValue()).isEqualTo(4);
    assertThat(dry.get("replayed").intValue()).isEqualTo(3);
    assertThat(dry.get("refused").get(0).get("reason").stringValue()).isEqualTo("TOO_MANY_REPLAYS");
    assertThat(PROVIDER.calls()).isZero();

    var done =
        operator()
            .post(
                "/dead-letters/replay",
                "{\"cause\":\"REJECTED\",\"since\":\"%s\"}".formatted(since))
            .json();
    assertThat(done.get("replayed").intValue()).isEqualTo(3);
    events.subList(0, 3).forEach(event -> awaitLetter(event, "RESOLVED REJECTED"));
    assertThat(letterOf(tooOften)).isEqualTo("OPEN REJECTED");
    assertThat(events.stream().mapToInt(PROVIDER::callsFor).sum()).isEqualTo(3);
    assertThat(
            jdbc.sql(
                    """
                    select operator || ' ' || count || ' ' || filter from dead_letter_audit
                    where action = 'REPLAY_FILTER' order by id desc limit 1
                    """)
                .query(String.class)
                .single())
        .startsWith("operator 3 ")
        .contains("REJECTED", since.substring(0, 19));
  }

  @Test
  void whatWasSentMeanwhileIsResolvedNotReplayed() {
    UUID event = rejected();
    long id = idOf(event);
    PROVIDER.reset();
    jdbc.sql(
            """
            update processed_event
            set state = 'SENT', provider_message_id = 'm', sent_at = now()
            where event_id = ?
            """)
        .param(event)
        .update();
    assertThat(operator().post("/dead-letters/" + id + "/replay", null).status()).isEqualTo(409);
    assertThat(letterOf(event)).isEqualTo("RESOLVED REJECTED");
    assertThat(PROVIDER.callsFor(event)).isZero();
  }

  @Test
  void noReplayIsWastedWhileTheBreakerIsOpen() {
    UUID event = rejected();
    breakers.circuitBreaker("email").transitionToOpenState();
    assertThat(
            operator()
                .post("/dead-letters/" + idOf(event) + "/replay", null)
                .json()
                .get("type")
                .stringValue())
        .isEqualTo("https://kabar.id/problems/replay-provider-spared");
    assertThat(replaysOf(event)).isZero();
    breakers.circuitBreaker("email").transitionToHalfOpenState();
    assertThat(operator().post("/dead-letters/" + idOf(event) + "/replay", null).status())
        .isEqualTo(200);
    awaitLetter(event, "RESOLVED REJECTED");
  }

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
          POST | /dead-letters/replay           | {"limit":501}    | 400 | bad-request        | between 1 and 500
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
          GET  | /actuator/metrics       |
          GET  | /actuator/loggers       |
          GET  | /actuator/env           |
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

  private Operator operator() {
    return new Operator(port, "secret");
  }

  private UUID rejected() {
    return rejected(1).getFirst();
  }

  private List<UUID> rejected(int count) {
    PROVIDER.answers(422);
    List<UUID> events = IntStream.range(0, count).mapToObj(i -> records().paid()).toList();
    events.forEach(event -> awaitLetter(event, "OPEN REJECTED"));
    PROVIDER.reset();
    return events;
  }

  private long idOf(UUID event) {
    return jdbc.sql("select id from dead_letter where event_id = ?")
        .param(event)
        .query(Long.class)
        .single();
  }

  private String sinceOf(List<UUID> events) {
    return jdbc.sql("select min(last_failed_at) from dead_letter where event_id in (:events)")
        .param("events", events)
        .query(OffsetDateTime.class)
        .single()
        .toInstant()
        .toString();
  }

  private int replaysOf(UUID event) {
    return jdbc.sql("select replays from dead_letter where event_id = ?")
        .param(event)
        .query(Integer.class)
        .single();
  }

  private List<Long> lettersOf(UUID order) {
    return jdbc.sql("select id from dead_letter where order_id = ?")
        .param(order)
        .query(Long.class)
        .list();
  }

  private static <T> List<T> inParallel(int times, Callable<T> task) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures =
          IntStream.range(0, times).mapToObj(i -> threads.submit(task)).toList();
      threads.shutdown();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      return futures.stream().map(Future::resultNow).toList();
    }
  }
}
