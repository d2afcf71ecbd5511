package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** One letter is sent again: once, as it was, and not for ever. */
class ReplayIT extends OperatedService {

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
}
