package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Many letters are sent again, or closed, at once. */
class ReplayJobIT extends OperatedService {

  @Test
  void aDryRunTellsWhatWouldHappenAndAReplayByFilterDoesIt() {
    List<UUID> events = rejected(4);
    UUID tooOften = events.get(3);
    jdbc.sql("update dead_letter set replays = 5 where event_id = ?").param(tooOften).update();
    String filter = "\"cause\":\"REJECTED\",\"since\":\"%s\"".formatted(sinceOf(events));

    JsonNode dry =
        operator().post("/dead-letters/replay", "{%s,\"dryRun\":true}".formatted(filter)).json();
    assertThat(dry.get("dryRun").booleanValue()).isTrue();
    assertThat(dry.get("matched").intValue()).isEqualTo(4);
    assertThat(dry.get("replayed").intValue()).isEqualTo(3);
    assertThat(dry.get("refused").get(0).get("reason").stringValue()).isEqualTo("TOO_MANY_REPLAYS");
    assertThat(dry.get("refusals").get("TOO_MANY_REPLAYS").intValue()).isEqualTo(1);
    assertThat(dry.get("job").isNull()).isTrue();
    assertThat(PROVIDER.calls()).isZero();

    Operator.Answer answer =
        operator().post("/dead-letters/replay", "{%s,\"reason\":\"mended\"}".formatted(filter));
    assertThat(answer.status()).isEqualTo(202);
    long job = answer.json().get("job").get("id").longValue();
    JsonNode done = awaitEnd(job);
    assertThat(done.get("state").stringValue()).isEqualTo("DONE");
    assertThat(done.get("letters").intValue()).isEqualTo(4);
    assertThat(done.get("replayed").intValue()).isEqualTo(3);
    assertThat(done.get("refused").intValue()).isEqualTo(1);
    assertThat(done.get("refusals").get(0).get("reason").stringValue())
        .isEqualTo("TOO_MANY_REPLAYS");
    events.subList(0, 3).forEach(event -> awaitLetter(event, "RESOLVED REJECTED"));
    assertThat(letterOf(tooOften)).isEqualTo("OPEN REJECTED");
    assertThat(events.stream().mapToInt(PROVIDER::callsFor).sum()).isEqualTo(3);
    assertThat(job(job).get("today").get("RESOLVED").intValue()).isEqualTo(3);
    assertThat(lastAudit())
        .startsWith(
            "operator REPLAY_FILTER 4 mended cause REJECTED, since "
                + sinceOf(events).substring(0, 19));
  }

  @Test
  void aLetterTellsEveryAttemptAndEveryReplay() {
    UUID event = rejected(1).getFirst();
    long id = idOf(event);
    PROVIDER.answers(422);
    long job = replay("\"ids\":[%d],\"reason\":\"try once more\"".formatted(id));
    eventually().until(() -> PROVIDER.callsFor(event) == 1);
    awaitLetter(event, "OPEN REJECTED");

    JsonNode letter = operator().get("/dead-letters/" + id).json();
    assertThat(letter.get("attempts")).hasSize(2);
    for (JsonNode attempt : letter.get("attempts")) {
      assertThat(attempt.get("cause").stringValue()).isEqualTo("REJECTED");
      assertThat(attempt.get("providerStatus").intValue()).isEqualTo(422);
      assertThat(attempt.get("outcomeUnknown").booleanValue()).isFalse();
    }
    JsonNode act = letter.get("history").get(0);
    assertThat(act.get("action").stringValue()).isEqualTo("REPLAY_FILTER");
    assertThat(act.get("reason").stringValue()).isEqualTo("try once more");
    assertThat(act.get("job").longValue()).isEqualTo(job);
    assertThat(letter.get("letter").get("replays").intValue()).isEqualTo(1);
    assertThat(letter.get("obstacle").isNull()).isTrue();
  }

  @Test
  void aReplayKeepsItsPace() {
    List<UUID> events = rejected(12);
    replay(since(events) + ",\"perSecond\":4");
    events.forEach(event -> awaitLetter(event, "RESOLVED REJECTED"));
    List<OffsetDateTime> times =
        jdbc.sql("select replayed_at from dead_letter where event_id in (:events) order by 1")
            .param("events", events)
            .query(OffsetDateTime.class)
            .list();
    // eleven pauses of 250 ms, of which a slow moment may make up for a second
    assertThat(Duration.between(times.getFirst(), times.getLast()))
        .isBetween(Duration.ofMillis(1_700), Duration.ofSeconds(20));
  }

  @Test
  void aCancelledReplayLeavesTheRestWhereItIs() {
    List<UUID> events = rejected(5);
    long job = replay(since(events) + ",\"perSecond\":1");
    eventually().until(() -> job(job).get("replayed").intValue() > 0);
    assertThat(
            operator()
                .post("/dead-letters/jobs/%d/cancel".formatted(job), "{\"reason\":\"wrong ones\"}")
                .json()
                .get("state")
                .stringValue())
        .isEqualTo("CANCELLED");
    assertThat(lastAudit()).startsWith("operator CANCEL ").contains(" wrong ones ");
    int replayed = job(job).get("replayed").intValue();
    assertThat(job(job).get("waiting").intValue()).isEqualTo(5 - replayed);
    eventually().until(() -> job(job).get("today").path("RESOLVED").asInt() == replayed);
    assertThat(events)
        .filteredOn(event -> letterOf(event).equals("OPEN REJECTED"))
        .hasSize(5 - replayed);
    assertThat(operator().post("/dead-letters/jobs/%d/cancel".formatted(job), null).status())
        .isEqualTo(409);
  }

  @Test
  void twoOperatorsWhoReplayTheSameLettersSendEachOnce() throws Exception {
    List<UUID> events = rejected(10);
    List<Integer> statuses =
        inParallel(
            4,
            () ->
                operator().post("/dead-letters/replay", "{%s}".formatted(since(events))).status());
    assertThat(statuses).contains(202).containsAnyOf(202, 200);
    events.forEach(event -> awaitLetter(event, "RESOLVED REJECTED"));
    assertThat(events).allSatisfy(event -> assertThat(PROVIDER.callsFor(event)).isEqualTo(1));
    assertThat(events).allSatisfy(event -> assertThat(replaysOf(event)).isEqualTo(1));
  }

  @Test
  void aReplayWaitsUntilTheProviderIsCalledAgain() {
    List<UUID> events = rejected(2);
    breakers.circuitBreaker("email").transitionToForcedOpenState();
    long job = replay(since(events));
    eventually().until(() -> job(job).get("waitsFor").asString("").contains("provider"));
    assertThat(events).allSatisfy(event -> assertThat(replaysOf(event)).isZero());
    breakers.circuitBreaker("email").reset();
    events.forEach(event -> awaitLetter(event, "RESOLVED REJECTED"));
    assertThat(awaitEnd(job).get("replayed").intValue()).isEqualTo(2);
  }

  @Test
  void lettersAreDiscardedByFilterWithAReason() {
    List<UUID> events = rejected(3);
    String filter = since(events);
    assertThat(operator().post("/dead-letters/discard", "{%s}".formatted(filter)).status())
        .isEqualTo(400);
    JsonNode dry =
        operator().post("/dead-letters/discard", "{%s,\"dryRun\":true}".formatted(filter)).json();
    assertThat(dry.get("discarded").intValue()).isEqualTo(3);
    assertThat(letterOf(events.getFirst())).isEqualTo("OPEN REJECTED");

    JsonNode done =
        operator()
            .post("/dead-letters/discard", "{%s,\"reason\":\"shop closed\"}".formatted(filter))
            .json();
    assertThat(done.get("discarded").intValue()).isEqualTo(3);
    assertThat(events)
        .allSatisfy(event -> assertThat(letterOf(event)).isEqualTo("DISCARDED REJECTED"));
    assertThat(lastAudit()).startsWith("operator DISCARD_FILTER 3 shop closed cause REJECTED");
    assertThat(operator().get("/dead-letters/" + idOf(events.getFirst())).body())
        .contains("shop closed");
  }

  private String since(List<UUID> events) {
    return "\"cause\":\"REJECTED\",\"since\":\"%s\"".formatted(sinceOf(events));
  }

  private long replay(String request) {
    return operator()
        .post("/dead-letters/replay", "{%s}".formatted(request))
        .json()
        .get("job")
        .get("id")
        .longValue();
  }

  private JsonNode job(long id) {
    return operator().get("/dead-letters/jobs/" + id).json();
  }

  private JsonNode awaitEnd(long job) {
    return eventually()
        .until(() -> job(job), each -> !each.get("state").stringValue().equals("RUNNING"));
  }

  private String lastAudit() {
    return jdbc.sql(
            """
            select concat_ws(' ', operator, action, count, reason, filter)
            from dead_letter_audit
            where letter_id is null
            order by id desc limit 1
            """)
        .query(String.class)
        .single();
  }
}
