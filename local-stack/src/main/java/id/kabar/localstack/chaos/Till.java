package id.kabar.localstack.chaos;

import id.kabar.localstack.history.Run.Action;
import id.kabar.localstack.history.Run.Operation;
import id.kabar.localstack.history.Run.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Where customers place, pay and cancel; every call is written down with what it was answered. */
final class Till {

  /** Of all customers' addresses; it belongs into emails and payloads, and nowhere else. */
  static final String DOMAIN = "@customers.example";

  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final URI orders;
  private final Notes notes;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  Till(URI orderService, Notes notes) {
    this.orders = orderService.resolve("/orders");
    this.notes = notes;
  }

  /**
   * How a call ended.
   *
   * @param order known only after success
   * @param isFinal whether asking again would be answered alike
   */
  record Receipt(@Nullable String order, boolean isFinal) {}

  /**
   * Asks for an order.
   *
   * @param amount which no other order has: what the order is known by until it has an id
   */
  Receipt place(String customer, String key, long amount) {
    String body =
        "{\"customerEmail\":\"%s-%d%s\",\"totalAmount\":%d}"
            .formatted(customer, amount, DOMAIN, amount);
    return call(customer, Action.PLACE, key, null, amount, orders, body);
  }

  Receipt pay(String customer, String key, String order, long amount) {
    return call(customer, Action.PAY, key, order, amount, of(order, "pay"), null);
  }

  Receipt cancel(String customer, String key, String order, long amount) {
    return call(customer, Action.CANCEL, key, order, amount, of(order, "cancel"), null);
  }

  private URI of(String order, String what) {
    return URI.create("%s/%s/%s".formatted(orders, order, what));
  }

  private Receipt call(
      String customer,
      Action action,
      String key,
      @Nullable String order,
      long amount,
      URI uri,
      @Nullable String body) {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    Instant asked = Instant.now();
    Outcome outcome;
    String answer;
    String id = order;
    boolean isFinal = false;
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      outcome = outcome(response.statusCode());
      answer = Integer.toString(response.statusCode());
      if (outcome == Outcome.OK) {
        id = JSON.readTree(response.body()).required("id").asString();
        isFinal = true;
      } else if (outcome == Outcome.FAIL) {
        String type = JSON.readTree(response.body()).path("type").asString("");
        answer += " " + type;
        isFinal = !type.endsWith("order-changed") && !type.endsWith("request-in-progress");
      }
    } catch (ConnectException | HttpConnectTimeoutException nobodyThere) {
      outcome = Outcome.FAIL; // not a byte was sent
      answer = "no connection";
    } catch (IOException e) {
      outcome = Outcome.UNKNOWN;
      answer = e.getClass().getSimpleName();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      outcome = Outcome.UNKNOWN;
      answer = "interrupted";
    }
    notes.add(
        new Operation(customer, action, key, id, amount, asked, Instant.now(), outcome, answer));
    return new Receipt(id, isFinal);
  }

  /** A 5xx tells nothing of whether the request took effect, and order-service says so. */
  private static Outcome outcome(int status) {
    return switch (status / 100) {
      case 2 -> Outcome.OK;
      case 4 -> Outcome.FAIL;
      default -> Outcome.UNKNOWN;
    };
  }
}
