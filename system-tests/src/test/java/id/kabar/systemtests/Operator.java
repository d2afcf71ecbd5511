package id.kabar.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.systemtests.Http.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The operator in front of notification-service's dead letters. */
final class Operator {

  private final String url;
  private final String authorization;

  Operator(String url, String password) {
    this.url = url + "/dead-letters";
    this.authorization = authorization(password);
  }

  /** What an operator's call has as its header {@code Authorization}. */
  static String authorization(String password) {
    return "Basic " + Base64.getEncoder().encodeToString(("operator:" + password).getBytes(UTF_8));
  }

  /**
   * A dead letter as it is listed.
   *
   * @param attempts deliveries of its event that failed
   * @param heldFor how long its record held its partition: from its first failure to its last
   */
  record Letter(long id, String state, String cause, int attempts, Duration heldFor) {}

  /** The letter of an order; empty while there is none. */
  Optional<Letter> letterOf(String orderId) {
    return call("GET", "?orderId=" + orderId, "")
        .expect(200)
        .json()
        .required("letters")
        .valueStream()
        .map(Operator::letter)
        .findFirst();
  }

  /**
   * Whether the letter is on its way again; not while the provider is spared. After an outage it
   * may have gone by itself.
   */
  boolean replays(Letter letter) {
    Answer answer = call("POST", "/%d/replay".formatted(letter.id()), "");
    return answer.status() == 200 || !stateOf(letter.id()).equals("OPEN");
  }

  private String stateOf(long letter) {
    return call("GET", "/" + letter, "")
        .expect(200)
        .json()
        .required("letter")
        .required("state")
        .asString();
  }

  /** Whether nothing is left to replay: all open letters are taken into a job, or there is none. */
  boolean replaysAll() {
    return call("POST", "/replay", "{}").json().required("refused").isEmpty();
  }

  /** How far a replay is. */
  record Replay(long id, String state, int letters, int replayed) {}

  /** Sends all open letters of a cause again. */
  Replay replay(String cause, int perSecond) {
    String request = "{\"cause\":\"%s\",\"perSecond\":%d}".formatted(cause, perSecond);
    return replay(call("POST", "/replay", request).expect(202).json().required("job"));
  }

  Replay replay(long id) {
    return replay(call("GET", "/jobs/" + id, "").expect(200).json());
  }

  private static Replay replay(JsonNode job) {
    return new Replay(
        job.required("id").asLong(),
        job.required("state").asString(),
        job.required("letters").asInt(),
        job.required("replayed").asInt());
  }

  private Answer call(String method, String path, String body) {
    return Http.send(method, url + path, body, "Authorization", authorization);
  }

  private static Letter letter(JsonNode json) {
    return new Letter(
        json.required("id").asLong(),
        json.required("state").asString(),
        json.required("cause").asString(),
        json.required("attempts").asInt(),
        Duration.between(time(json, "firstFailedAt"), time(json, "lastFailedAt")));
  }

  private static Instant time(JsonNode json, String field) {
    return Instant.parse(json.required(field).asString());
  }
}
