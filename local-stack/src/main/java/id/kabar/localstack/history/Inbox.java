package id.kabar.localstack.history;

import id.kabar.localstack.history.History.Delivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** The keys known to the email stub. */
final class Inbox {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final URI keys;

  Inbox(String provider) {
    this.keys = URI.create(provider + "/__admin/inbox/keys");
  }

  List<Delivery> deliveries() {
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      var answer =
          http.send(HttpRequest.newBuilder(keys).timeout(PATIENCE).build(), BodyHandlers.ofLines());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(keys + " answered " + answer.statusCode());
      }
      return answer.body().filter(line -> !line.isBlank()).map(Inbox::delivery).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(keys + " does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while reading " + keys, e);
    }
  }

  private static Delivery delivery(String line) {
    var json = JSON.readTree(line);
    return new Delivery(
        json.required("key").asString(),
        json.required("accepted").asInt(),
        json.required("repeated").asInt(),
        json.path("bodyHash").asString(null));
  }
}
