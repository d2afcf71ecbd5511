package id.kabar.localstack.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.InstanceName;
import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.localstack.chaos.Schedule.Injection;
import id.kabar.localstack.history.Run.Disturbance;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Breaks a running stack by a schedule, and heals what it has broken. */
final class Nemesis {

  private static final Duration HEALING = Duration.ofMinutes(4);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final LocalStack stack;
  private final Rig rig;
  private final Notes notes;
  private final Consumer<String> live;
  private final Map<Fault, Connection> transactions = new ConcurrentHashMap<>();
  private final Map<String, ReentrantLock> claims = new ConcurrentHashMap<>();
  private final List<String> troubles = new ArrayList<>();
  private final long begun = System.nanoTime();

  Nemesis(LocalStack stack, Rig rig, Notes notes, Consumer<String> live) {
    this.stack = stack;
    this.rig = rig;
    this.notes = notes;
    this.live = live;
  }

  /** Returns when the last fault has been in force and mended. */
  void follow(Schedule schedule) throws InterruptedException {
    List<Thread> faults = new ArrayList<>();
    for (Injection injection : schedule.injections()) {
      faults.add(Thread.ofVirtual().start(() -> inject(injection)));
    }
    for (Thread fault : faults) {
      fault.join();
    }
  }

  /** What of its own work failed, which says nothing on Kabar. */
  List<String> troubles() {
    synchronized (troubles) {
      return List.copyOf(troubles);
    }
  }

  /**
   * Nothing is broken any more: all run, as many as usual, and are ready.
   *
   * @throws ServerFailed with those that do not come back
   */
  void heal() throws InterruptedException {
    stack.instances().values().forEach(ServerProcess::thaw);
    rig.wholeAgain();
    List.copyOf(transactions.keySet()).forEach(this::mend);
    long deadline = System.nanoTime() + HEALING.toNanos();
    for (Service service : Service.values()) {
      int usual = service.scalable() ? Schedule.USUAL : 1;
      for (int number = 1; number <= usual; number++) {
        revive(service.number(number).toString(), deadline);
      }
      if (service.scalable()) {
        stack.scale(service, usual);
      }
    }
    provider("DELETE", null);
  }

  /** Starts it until it is ready: one that died of what was broken is no failure. */
  private void revive(String name, long deadline) throws InterruptedException {
    ServerProcess server = stack.instances().get(InstanceName.parse(name));
    while (server == null || !server.isReady()) {
      try {
        if (server == null) {
          InstanceName parsed = InstanceName.parse(name);
          stack.scale(parsed.service(), parsed.number());
          server = stack.instance(name);
        }
        server.launch();
        server.awaitReady();
      } catch (ServerFailed notYet) {
        if (System.nanoTime() > deadline) {
          throw notYet;
        }
        Thread.sleep(LOOK);
      }
    }
  }

  private void inject(Injection injection) {
    Fault fault = injection.fault();
    List<ReentrantLock> things = things(fault);
    try {
      await(injection.at());
      if (!rig.allows(fault)) {
        say("skipped (not possible here): " + fault);
        return;
      }
      things.forEach(ReentrantLock::lock);
      try {
        beInForce(injection);
      } finally {
        things.forEach(ReentrantLock::unlock);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What the fault claims. The schedule keeps faults of one thing apart, but one that takes long to
   * break or to mend, on a busy machine, may reach into the time of the next.
   */
  private List<ReentrantLock> things(Fault fault) {
    return fault.claims().stream()
        .sorted() // everybody in the same order, so that nobody waits in a circle
        .map(claim -> claims.computeIfAbsent(claim, _ -> new ReentrantLock(true)))
        .toList();
  }

  private void beInForce(Injection injection) throws InterruptedException {
    Fault fault = injection.fault();
    Instant from = Instant.now();
    say("%s, for %.1f s".formatted(fault, injection.lasts().toMillis() / 1e3));
    attempt(fault, () -> breakIt(fault));
    await(injection.end());
    attempt(fault, () -> mend(fault));
    notes.add(new Disturbance(fault.toString(), fault.parties(), from, Instant.now()));
    say("  over: " + fault);
  }

  private void attempt(Fault fault, Runnable deed) {
    try {
      deed.run();
    } catch (ServerFailed | UncheckedIOException e) {
      String trouble = "%s: %s".formatted(fault, e.getMessage());
      synchronized (troubles) {
        troubles.add(trouble);
      }
      say("  (did not work: %s)".formatted(trouble.lines().findFirst().orElse(trouble)));
    }
  }

  private void breakIt(Fault fault) {
    switch (fault) {
      case Fault.Kill(var victim) -> process(victim).kill();
      case Fault.Freeze(var victim) -> process(victim).freeze();
      case Fault.Stop(var victim) -> process(victim).stop();
      case Fault.Restart(var victim) -> process(victim).stop();
      case Fault.Scale(var service, var counts) ->
          counts.forEach(count -> stack.scale(service, count));
      case Fault.Absence(var service) -> all(service).forEach(ServerProcess::kill);
      case Fault.Provider(String json) -> provider("PUT", json);
      case Fault.Network(var link, var condition) -> rig.wire(link).become(condition);
      case Fault.Clock(var victim, int hours) -> rig.clocks().set(victim, hours);
      case Fault.DiskFull(var service) -> rig.disk(service).fill();
      case Fault.LongTransaction transaction -> hold(transaction);
    }
  }

  private void mend(Fault fault) {
    switch (fault) {
      case Fault.Kill(var victim) -> process(victim).launch();
      case Fault.Freeze(var victim) -> process(victim).thaw();
      case Fault.Stop(var victim) -> process(victim).launch();
      case Fault.Restart(var victim) -> process(victim).launch();
      case Fault.Scale(var service, var _) -> stack.scale(service, Schedule.USUAL);
      case Fault.Absence(var service) -> all(service).forEach(ServerProcess::launch);
      case Fault.Provider _ -> provider("DELETE", null);
      case Fault.Network(var link, var _) -> rig.wire(link).become(Wire.Condition.WHOLE);
      case Fault.Clock(var victim, int _) -> rig.clocks().set(victim, 0);
      case Fault.DiskFull(var service) -> {
        rig.disk(service).free();
        process(service.number(1)).launch(); // a full disk may have ended it
      }
      case Fault.LongTransaction transaction -> end(transaction);
    }
  }

  private List<ServerProcess> all(Service service) {
    return stack.instances().entrySet().stream()
        .filter(instance -> instance.getKey().service() == service)
        .map(Map.Entry::getValue)
        .toList();
  }

  private ServerProcess process(InstanceName victim) {
    return stack.instance(victim.toString());
  }

  private void hold(Fault.LongTransaction fault) {
    PostgresServer postgres = (PostgresServer) stack.instance(Service.POSTGRES.label());
    try {
      Connection connection = postgres.connect(fault.database());
      transactions.put(fault, connection);
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (var statement = connection.createStatement()) {
        // With an id of its own, as a writer has, and a snapshot, as a reader has.
        statement.execute("select pg_current_xact_id(), count(*) from pg_class");
      }
    } catch (SQLException e) {
      throw new ServerFailed(String.valueOf(e.getMessage()), e);
    }
  }

  private void end(Fault.LongTransaction fault) {
    Connection connection = transactions.remove(fault);
    if (connection == null) {
      return;
    }
    try (connection) {
      connection.rollback();
    } catch (SQLException e) {
      throw new ServerFailed(String.valueOf(e.getMessage()), e);
    }
  }

  private void provider(String method, @Nullable String json) {
    HttpRequest request =
        HttpRequest.newBuilder(stack.emailStub().resolve("/__admin/faults"))
            .timeout(Duration.ofSeconds(10))
            .method(
                method,
                json == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(json, UTF_8))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      var answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new ServerFailed(
            "the stub answered %d: %s".formatted(answer.statusCode(), answer.body()));
      }
    } catch (IOException e) {
      throw new ServerFailed("the stub does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailed("interrupted", e);
    }
  }

  private void await(Duration at) throws InterruptedException {
    long rest = begun + at.toNanos() - System.nanoTime();
    if (rest > 0) {
      Thread.sleep(Duration.ofNanos(rest));
    }
  }

  private void say(String line) {
    live.accept("%7.1f s  %s".formatted((System.nanoTime() - begun) / 1e9, line));
  }
}
