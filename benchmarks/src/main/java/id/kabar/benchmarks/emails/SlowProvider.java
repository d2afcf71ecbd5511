package id.kabar.benchmarks.emails;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A provider that takes the same time for each email, however many come at once. */
final class SlowProvider implements AutoCloseable {

  private final Duration latency;
  private final HttpServer server;
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

  /** By idempotency key, when its first call came, in nanoseconds. */
  private final Map<String, Long> arrivals = new ConcurrentHashMap<>();

  SlowProvider(Duration latency) throws IOException {
    this.latency = latency;
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    server.createContext("/v1/messages", this::accept);
    server.setExecutor(calls);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** How many emails have come. */
  int emails() {
    return arrivals.size();
  }

  /** Emails per second, from the arrival of one in the order of arrival to that of the last. */
  double perSecond(int from) {
    long[] times = arrivals.values().stream().mapToLong(Long::longValue).sorted().toArray();
    double seconds = (times[times.length - 1] - times[from]) / 1e9;
    return (times.length - 1 - from) / seconds;
  }

  private void accept(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      arrivals.putIfAbsent(key, System.nanoTime());
      exchange.getRequestBody().readAllBytes();
      Thread.sleep(latency);
      byte[] answer = "{\"id\":\"%s\"}".formatted(key).getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(202, answer.length);
      exchange.getResponseBody().write(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    calls.shutdownNow();
  }
}
