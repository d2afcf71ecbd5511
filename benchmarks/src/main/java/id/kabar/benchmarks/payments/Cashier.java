package id.kabar.benchmarks.payments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Places and pays orders over HTTP. */
final class Cashier implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final URI orders;

  Cashier(URI orders) {
    this.orders = orders;
  }

  /** Returns the order's id. */
  String place(int number) throws IOException, InterruptedException {
    String body =
        "{\"customerEmail\": \"customer%d@example.com\", \"totalAmount\": 15000000}"
            .formatted(number);
    String answer = post(orders.resolve("/orders"), body, 201);
    int start = answer.indexOf("\"id\":\"") + 6;
    return answer.substring(start, answer.indexOf('"', start));
  }

  void pay(String order) throws IOException, InterruptedException {
    post(orders.resolve("/orders/" + order + "/pay"), "", 200);
  }

  private String post(URI uri, String body, int expected) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != expected) {
      throw new IOException("%s answered %d".formatted(uri.getPath(), answer.statusCode()));
    }
    return answer.body();
  }

  @Override
  public void close() {
    http.close();
  }
}
