package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** A customer's view of the stack: places and pays orders, and looks into the inbox. */
final class Shop {

  private static final String KEY = "Idempotency-Key";
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final URI orders;
  private final URI inbox;
  private final Http http = new Http();
  private final String visit =
      HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()).substring(8);

  Shop(LocalStack stack) {
    this(stack.orders(), stack.emailStub());
  }

  Shop(URI orderService, URI emailStub) {
    this.orders = orderService.resolve("/orders");
    this.inbox = emailStub.resolve("/__admin/inbox");
  }

  record Order(String id, String address) {}

  /** The order of a customer nobody else has. */
  Order place(int number) {
    String address = "customer-%d-%s@example.com".formatted(number, visit);
    // The same call made again, after no or a bad answer, is the same order.
    JsonNode order =
        http.send(
            "POST",
            orders,
            Map.of("customerEmail", address, "totalAmount", 150_000 + number),
            Map.of(KEY, "place-%d-%s".formatted(number, visit)));
    return new Order(order.get("id").asString(), address);
  }

  /** May be called again where the answer was lost. */
  void pay(Order order) {
    http.send(
        "POST",
        URI.create(orders + "/" + order.id() + "/pay"),
        null,
        Map.of(KEY, "pay-" + order.id()));
  }

  /**
   * When the order's email was accepted, as the stub's clock says; empty if it does not come in
   * time.
   */
  Optional<Instant> awaitEmail(Order order, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    Optional<Instant> accepted = email(order);
    while (accepted.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(LOOK_NANOS);
      accepted = email(order);
    }
    return accepted;
  }

  /** How many emails the order's customer has got. */
  int emails(Order order) {
    return inboxOf(order).get("accepted").asInt();
  }

  private Optional<Instant> email(Order order) {
    JsonNode messages = inboxOf(order).get("messages");
    return messages.isEmpty()
        ? Optional.empty()
        : Optional.of(Instant.parse(messages.get(0).get("acceptedAt").asString()));
  }

  private JsonNode inboxOf(Order order) {
    String address = URLEncoder.encode(order.address(), StandardCharsets.UTF_8);
    return http.get(URI.create(inbox + "?address=" + address));
  }
}
