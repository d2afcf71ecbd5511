package id.kabar.systemtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls JSON APIs. A call without an answer is an {@link UncheckedIOException}. */
final class Http {

  static final JsonMapper JSON = JsonMapper.shared();

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Http() {}

  /** An answer, whatever its status. */
  record Answer(String call, int status, HttpResponse<String> response) {

    JsonNode json() {
      return JSON.readTree(response.body());
    }

    String text() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    /** The same answer, if it is the one that was hoped for. */
    Answer expect(int hoped) {
      if (status != hoped) {
        throw new AssertionError(
            "%s answered %d instead of %d: %s".formatted(call, status, hoped, response.body()));
      }
      return this;
    }
  }

  /**
   * @param headers names and values in turn
   */
  static Answer get(String url, String... headers) {
    return send("GET", url, "", headers);
  }

  /**
   * @param body JSON; empty for none
   * @param headers names and values in turn
   */
  static Answer send(String method, String url, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(PATIENCE)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    String call = method + " " + url;
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      return new Answer(call, response.statusCode(), response);
    } catch (IOException e) {
      throw new UncheckedIOException(call + " got no answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(call + " was interrupted", e);
    }
  }
}
