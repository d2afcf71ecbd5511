package id.kabar.localstack;

import id.kabar.localstack.servers.PortTaken;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.Provisioning;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.servers.ServerProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Starts a stack: everything at once, but nobody before what it cannot start without. */
final class Startup {

  private final LocalStack stack;
  private final LocalStack.Progress progress;
  // The first failure is the cause; what fails after it are its effects.
  private final CompletableFuture<Void> firstFailure = new CompletableFuture<>();
  private volatile boolean failed;

  Startup(LocalStack stack, LocalStack.Progress progress) {
    this.stack = stack;
    this.progress = progress;
  }

  void run() {
    requirePorts();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        CompletableFuture.anyOf(everything(threads), firstFailure).join();
      } catch (CompletionException e) {
        failed = true;
        stack.stop(); // lets the others' waiting end too
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      }
    } finally {
      if (failed) {
        stack.stop(); // what was launched in that moment
      }
    }
  }

  private CompletableFuture<Void> everything(ExecutorService threads) {
    CompletableFuture<Void> postgres =
        CompletableFuture.runAsync(() -> start(Service.POSTGRES), threads);
    CompletableFuture<Void> kafka = CompletableFuture.runAsync(() -> start(Service.KAFKA), threads);
    CompletableFuture<Void> emailStub =
        CompletableFuture.runAsync(() -> start(Service.EMAIL_STUB), threads);
    CompletableFuture<Void> orders =
        postgres.thenRunAsync(() -> start(Service.ORDER_SERVICE), threads);
    CompletableFuture<Void> notifications =
        postgres.runAfterBothAsync(kafka, () -> start(Service.NOTIFICATION_SERVICE), threads);
    // The outbox is a part of order-service's database, so its migration comes first.
    CompletableFuture<Void> relays =
        orders.runAfterBothAsync(kafka, () -> start(Service.OUTBOX_RELAY), threads);

    return CompletableFuture.allOf(emailStub, notifications, relays);
  }

  private void start(Service service) {
    if (failed) {
      return;
    }
    List<ServerProcess> servers =
        stack.instances().entrySet().stream()
            .filter(entry -> entry.getKey().service() == service)
            .map(Map.Entry::getValue)
            .toList();
    try {
      servers.forEach(stack::launch);
      for (ServerProcess server : servers) {
        server.awaitReady();
        if (server instanceof PostgresServer postgres) {
          provision(postgres);
        }
        progress.ready(server);
      }
    } catch (RuntimeException e) {
      firstFailure.completeExceptionally(e);
      throw e;
    }
  }

  private static void provision(PostgresServer postgres) {
    try (Connection superuser = postgres.connect("postgres")) {
      Provisioning.all(superuser);
    } catch (SQLException e) {
      throw new ServerFailed(
          "PostgreSQL's roles and databases could not be created: " + e.getMessage(), e);
    }
  }

  /** Before anything starts, and all at once: whoever frees one port wants to know of the next. */
  private void requirePorts() {
    List<String> taken = new ArrayList<>();
    for (ServerProcess server : stack.instances().values()) {
      for (int port : server.ports()) {
        try {
          Ports.requireFree(server.name(), port);
        } catch (PortTaken e) {
          taken.add(e.getMessage());
        }
      }
    }
    if (!taken.isEmpty()) {
      throw new ServerFailed(
          String.join(System.lineSeparator(), taken)
              + System.lineSeparator()
              + "Stop what is there, or run beside it: `./kabar up --port-offset 1000`.");
    }
  }
}
