package id.kabar.containertests;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls what containers publish. */
final class Http {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  private Http() {}

  /** An answer, whatever its status. */
  record Answer(int status, String body) {

    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  static Answer get(String url) throws IOException {
    return send("GET", url, "");
  }

  /**
   * @param body JSON; empty for none
   * @param headers names and values in turn
   * @throws IOException if nobody answers
   */
  static Answer send(String method, String url, String body, String... headers) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(method + " " + url + " was interrupted", e);
    }
  }
}
