package id.kabar.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.systemtests.Http.Answer;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The operator in front of notification-service's dead letters. */
final class Operator {

  private final String url;
  private final String authorization;

  Operator(String url, String password) {
    this.url = url + "/dead-letters";
    this.authorization =
        "Basic " + Base64.getEncoder().encodeToString(("operator:" + password).getBytes(UTF_8));
  }

  /**
   * A dead letter as it is listed.
   *
   * @param attempts deliveries of its event that failed
   */
  record Letter(long id, String state, String cause, int attempts) {}

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

  void replay(Letter letter) {
    call("POST", "/%d/replay".formatted(letter.id()), "").expect(200);
  }

  /** Replays what is open; returns the report. */
  JsonNode replayOpen() {
    return call("POST", "/replay", "{}").expect(200).json();
  }

  private Answer call(String method, String path, String body) {
    return Http.send(method, url + path, body, "Authorization", authorization);
  }

  private static Letter letter(JsonNode json) {
    return new Letter(
        json.required("id").asLong(),
        json.required("state").asString(),
        json.required("cause").asString(),
        json.required("attempts").asInt());
  }
}
