package id.kabar.localstack.broken;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A provider that honours keys as long as it remembers them, or rejects everything. */
final class PettyProvider implements AutoCloseable {

  private final HttpServer server;
  private final Map<String, Integer> accepted = new TreeMap<>();
  private final Map<String, Integer> repeated = new TreeMap<>();
  private final Set<String> remembered = new HashSet<>();
  private boolean rejecting;

  PettyProvider() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/v1/messages", this::send);
    server.createContext("/__admin/inbox/keys", this::keys);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  synchronized void clear() {
    accepted.clear();
    repeated.clear();
    remembered.clear();
    rejecting = false;
  }

  synchronized void rejectAll() {
    rejecting = true;
  }

  /** The window of its keys is past. */
  synchronized void forgetKeys() {
    remembered.clear();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private synchronized void send(HttpExchange call) throws IOException {
    String key = call.getRequestHeaders().getFirst("Idempotency-Key");
    if (rejecting) {
      answer(call, 422, "{}");
      return;
    }
    if (key != null) {
      (remembered.add(key) ? accepted : repeated).merge(key, 1, Integer::sum);
    }
    answer(call, 202, "{\"id\":\"message\"}");
  }

  private synchronized void keys(HttpExchange call) throws IOException {
    StringBuilder lines = new StringBuilder();
    accepted.forEach(
        (key, count) ->
            lines.append(
                "{\"key\":\"%s\",\"accepted\":%d,\"repeated\":%d}%n"
                    .formatted(key, count, repeated.getOrDefault(key, 0))));
    answer(call, 200, lines.toString());
  }

  private static void answer(HttpExchange call, int status, String body) throws IOException {
    try (call) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      call.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      call.getResponseBody().write(bytes);
    }
  }
}
