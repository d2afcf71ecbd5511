package id.kabar.emailstub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import wiremock.com.fasterxml.jackson.databind.JsonNode;

/** Calls a stub over real HTTP, as a service and as an operator do. */
class Caller implements AutoCloseable {

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI stub;

  Caller(int port) {
    stub = URI.create("http://127.0.0.1:" + port);
  }

  static String email(String to) {
    return email(to, "Payment received");
  }

  static String email(String to, String subject) {
    return """
        {"from": "Kabar <shop@example.com>", "to": "%s", "subject": "%s", "text": "Thank you", "html": "<p>Thank you"}"""
        .formatted(to, subject);
  }

  HttpResponse<String> send(@Nullable String key, String body)
      throws IOException, InterruptedException {
    return http.send(message(key, body).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> send(@Nullable String key, String body, Duration patience)
      throws IOException, InterruptedException {
    return http.send(message(key, body).timeout(patience).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> sendTraced(String traceparent, String body)
      throws IOException, InterruptedException {
    return http.send(
        message(null, body).header("traceparent", traceparent).build(), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendAsync(@Nullable String key, String body) {
    return http.sendAsync(message(key, body).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> call(String method, String path, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(stub.resolve(path))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  void givenFault(String fault) throws IOException, InterruptedException {
    HttpResponse<String> answer = call("PUT", "/__admin/faults", fault);
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer.body());
    }
  }

  void noFault() throws IOException, InterruptedException {
    call("DELETE", "/__admin/faults", "");
  }

  JsonNode inbox() throws IOException, InterruptedException {
    return inbox("");
  }

  JsonNode inbox(String query) throws IOException, InterruptedException {
    return Json.read(call("GET", "/__admin/inbox" + query, "").body());
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private HttpRequest.Builder message(@Nullable String key, String body) {
    HttpRequest.Builder message =
        HttpRequest.newBuilder(stub.resolve("/v1/messages"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    return key == null ? message : message.header("Idempotency-Key", key);
  }

  @Override
  public void close() {
    http.close();
  }
}
