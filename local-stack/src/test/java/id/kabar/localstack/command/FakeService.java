package id.kabar.localstack.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Stands in for any of Kabar's services where only its being a process matters: lets itself be
 * extracted, serves health on its ports, and answers just enough for an order to be placed, paid
 * and found in an inbox. Dies at once where a file named {@code crash} lies beside its jar.
 */
final class FakeService {

  private FakeService() {}

  public static void main(String[] args) throws IOException {
    Path jar = Path.of(System.getProperty("java.class.path"));
    List<String> arguments = Arrays.asList(args);
    if (System.getProperty("jarmode") != null) {
      Path destination = Path.of(arguments.get(arguments.indexOf("--destination") + 1));
      Files.copy(jar, destination.resolve(jar.getFileName()));
      if (Files.exists(jar.resolveSibling("crash"))) {
        Files.createFile(destination.resolve("crash"));
      }
      return;
    }
    if (Files.exists(jar.resolveSibling("crash"))) {
      System.out.println("this service was built to crash");
      System.exit(3);
    }
    Stream<String> given =
        arguments.contains("--port")
            ? Stream.of(arguments.get(arguments.indexOf("--port") + 1))
            : Stream.of("SERVER_PORT", "MANAGEMENT_SERVER_PORT").map(System.getenv()::get);
    for (String port : given.filter(Objects::nonNull).toList()) {
      HttpServer server =
          HttpServer.create(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)), 0);
      server.createContext("/", FakeService::answer);
      server.start();
    }
    System.out.println("serving");
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String body =
        switch (exchange.getRequestURI().getPath()) {
          case "/orders" -> "{\"id\":\"%s\"}".formatted(UUID.randomUUID());
          case "/__admin/inbox" ->
              "{\"accepted\":1,\"messages\":[{\"acceptedAt\":\"%s\"}]}".formatted(Instant.now());
          default -> "{}";
        };
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
