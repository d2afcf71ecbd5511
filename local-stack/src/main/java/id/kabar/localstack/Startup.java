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
import org.jspecify.annotations.Nullable;

/** Starts a stack: everything at once, but nobody before what it cannot start without. */
final class Startup {

  private final LocalStack stack;
  private final LocalStack.Progress progress;
  private volatile boolean failed;

  Startup(LocalStack stack, LocalStack.Progress progress) {
    this.stack = stack;
    this.progress = progress;
  }

  void run() {
    requirePorts();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<Void> all = everything(threads);
      try {
        all.join();
      } catch (CompletionException e) {
        failed = true;
        stack.stop(); // lets the others' waiting end too
        throw e.getCause() instanceof ServerFailed failure ? failure : e;
      }
    } finally {
      if (failed) {
        stack.stop(); // what was launched in that moment
      }
    }
  }

  private CompletableFuture<Void> everything(ExecutorService threads) {
    CompletableFuture<Void> postgres =
        CompletableFuture.runAsync(() -> start(Service.POSTGRES), threads).thenRun(this::provision);
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

    CompletableFuture<Void> all = CompletableFuture.allOf(emailStub, notifications, relays);
    List.of(postgres, kafka, emailStub, orders, notifications, relays)
        .forEach(each -> each.whenComplete((_, failure) -> failAtOnce(all, failure)));
    return all;
  }

  // The first failure is the cause; the others' are its effects.
  private static void failAtOnce(CompletableFuture<Void> all, @Nullable Throwable failure) {
    if (failure != null) {
      all.completeExceptionally(
          failure instanceof CompletionException ? failure : new CompletionException(failure));
    }
  }

  private void start(Service service) {
    List<ServerProcess> servers =
        stack.instances().entrySet().stream()
            .filter(entry -> entry.getKey().service() == service)
            .map(Map.Entry::getValue)
            .toList();
    if (failed) {
      return;
    }
    servers.forEach(stack::launch);
    servers.forEach(
        server -> {
          server.awaitReady();
          progress.ready(server);
        });
  }

  private void provision() {
    if (stack.instance(Service.POSTGRES.number(1)) instanceof PostgresServer postgres) {
      try (Connection superuser = postgres.connect("postgres")) {
        Provisioning.all(superuser);
      } catch (SQLException e) {
        throw new ServerFailed(
            "PostgreSQL's roles and databases could not be created: " + e.getMessage(), e);
      }
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
