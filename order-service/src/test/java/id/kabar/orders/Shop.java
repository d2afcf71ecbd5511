package id.kabar.orders;

import id.kabar.testservers.Database;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service as its clients see it, and its database as a test sees it. */
@TestComponent
public class Shop {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final Environment environment;
  private final Database database;

  Shop(Environment environment, Database ordersDatabase) {
    this.environment = environment;
    this.database = ordersDatabase;
  }

  /** An answer, with its body as text and, if it is JSON, as such. */
  public record Answer(int status, Map<String, List<String>> headers, String body) {

    public JsonNode json() {
      return JSON.readTree(body);
    }

    public Optional<String> header(String name) {
      return headers.entrySet().stream()
          .filter(h -> h.getKey().equalsIgnoreCase(name))
          .map(h -> h.getValue().getFirst())
          .findFirst();
    }

    public String type() {
      return json().path("type").asString("").replace("https://kabar.id/problems/", "");
    }

    public List<String> fieldsAtFault() {
      return json().path("errors").valueStream().map(e -> e.get("field").stringValue()).toList();
    }
  }

  public int port() {
    return environment.getRequiredProperty("local.server.port", Integer.class);
  }

  public int managementPort() {
    return environment.getRequiredProperty("local.management.port", Integer.class);
  }

  public Database database() {
    return database;
  }

  /** Looks into the database, beside the service's own pool. */
  public JdbcClient sql() {
    return JdbcClient.create(
        new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
  }

  public String placeOrder() {
    return placeOrder("ani@example.com");
  }

  public String placeOrder(String email) {
    String body =
        JSON.writeValueAsString(Map.of("customerEmail", email, "totalAmount", 15_000_000));
    Answer placed = post("/orders", body);
    if (placed.status() != 201) {
      throw new AssertionError("The order was not placed: " + placed);
    }
    return placed.json().get("id").stringValue();
  }

  public Answer pay(String id, String... headers) {
    return post("/orders/" + id + "/pay", "", headers);
  }

  public Answer cancel(String id, String... headers) {
    return post("/orders/" + id + "/cancel", "", headers);
  }

  public Answer post(String path, String body, String... headers) {
    HttpRequest.Builder request = request(port(), path).POST(BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  public Answer get(String path, String... headers) {
    HttpRequest.Builder request = request(port(), path).GET();
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  public Answer manage(String path) {
    return send(request(managementPort(), path).GET());
  }

  public HttpRequest.Builder request(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
        .timeout(Duration.ofSeconds(40));
  }

  public Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.headers().map(), answer.body());
    } catch (IOException e) {
      throw new AssertionError("No answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  public String statusOf(String id) {
    return sql()
        .sql("select status from orders where id = :id::uuid")
        .param("id", id)
        .query(String.class)
        .single();
  }

  public int eventsOf(String id) {
    return sql()
        .sql("select count(*) from outbox_event where aggregate_id = :id")
        .param("id", id)
        .query(Integer.class)
        .single();
  }
}
