package id.kabar.localstack.command;

import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON over HTTP to the stack's own services. */
final class Http {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  JsonNode get(URI uri) {
    return send(HttpRequest.newBuilder(uri).GET());
  }

  JsonNode post(URI uri, Object body) {
    return send(
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
  }

  JsonNode post(URI uri) {
    return send(HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()));
  }

  /**
   * Any other call.
   *
   * @param body to be written as JSON; null for none
   */
  JsonNode send(String method, URI uri, @Nullable Object body, Map<String, String> headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(uri)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
    if (body != null) {
      builder.header("Content-Type", "application/json");
    }
    headers.forEach(builder::header);
    return send(builder);
  }

  /** What a problem says in words; else the answer as it is. */
  private static String whatIsWrong(String body) {
    try {
      return JSON.readTree(body).path("detail").asString(body);
    } catch (JacksonException e) {
      return body;
    }
  }

  private JsonNode send(HttpRequest.Builder builder) {
    HttpRequest request = builder.header("Accept", "application/json").timeout(PATIENCE).build();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() / 100 != 2) {
        throw new ServerFailed(
            "%s %s answered %d: %s"
                .formatted(
                    request.method(),
                    request.uri(),
                    response.statusCode(),
                    whatIsWrong(response.body())));
      }
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new ServerFailed(
          "%s %s was not answered (%s). `./kabar status` shows who is down."
              .formatted(request.method(), request.uri(), e),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailed("interrupted", e);
    }
  }
}
