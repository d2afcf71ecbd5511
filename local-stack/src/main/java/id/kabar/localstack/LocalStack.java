package id.kabar.localstack;

import id.kabar.localstack.StackState.Remembered;
import id.kabar.localstack.servers.KafkaServer;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.servers.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All of Kabar as processes of this machine. Safe for use by several threads.
 *
 * <pre>{@code
 * try (LocalStack stack = LocalStack.onFreePorts(folder)) {
 *   stack.start();
 *   stack.instance("outbox-relay#2").kill();
 *   post(stack.orders().resolve("/orders"), …);
 * }
 * }</pre>
 */
public final class LocalStack implements AutoCloseable {

  /** Hears what becomes ready while a stack starts. */
  public interface Progress {
    void ready(ServerProcess instance);
  }

  /** Held while a command changes the stack. */
  public interface Lock extends AutoCloseable {
    @Override
    void close();
  }

  private final StackFolder folder;
  private final PortPlan ports;
  private final int portOffset;
  private final Blueprint blueprint;
  private final StateFile stateFile;
  private final NavigableMap<InstanceName, ServerProcess> instances = new ConcurrentSkipListMap<>();

  /** Held while instances come and go: of two at once, one could forget what the other started. */
  private final Object scaling = new Object();

  private volatile boolean diesWithThisJvm;

  private LocalStack(Path home, PortPlan ports, int portOffset) {
    this.portOffset = portOffset;
    this.folder = new StackFolder(home);
    this.ports = ports;
    this.blueprint = new Blueprint(folder, ports, Checkout.find());
    this.stateFile = new StateFile(folder.state());
  }

  /** A stack for a test: on ports of its own, gone when this JVM is. The services must be built. */
  public static LocalStack onFreePorts(Path home) {
    LocalStack stack = new LocalStack(home, PortPlan.free(), 0);
    stack.diesWithThisJvm();
    return stack;
  }

  /**
   * The stack whose data is in that folder, on the documented ports plus an offset. Processes that
   * run already are found, on the ports they have.
   */
  public static LocalStack at(Path home, int portOffset) {
    LocalStack stack = new LocalStack(home, PortPlan.shifted(portOffset), portOffset);
    StackState state = stack.stateFile.read();
    if (state
        .runs()) { // else it says where a stack was that nobody has stopped, before a reboot for
      // instance
      state.processes().forEach(stack::recall);
    }
    return stack;
  }

  /** The folder with Kabar's sources. */
  public static Path checkout() {
    return Checkout.find().root();
  }

  /** Where a checkout keeps its stack: the folder {@code .kabar}. */
  public static Path defaultHome() {
    return Checkout.find().stackHome();
  }

  /**
   * Gives all instances of a service one more environment variable; to be called before they start.
   */
  public LocalStack with(Service service, String variable, String value) {
    blueprint.set(service, variable, value);
    return this;
  }

  /** Likewise with variables that differ from instance to instance. */
  public LocalStack withEach(
      Service service, Function<InstanceName, Map<String, String>> variables) {
    blueprint.setEach(service, variables);
    return this;
  }

  /**
   * Gives the broker one more listener, whose clients are told to come to another port; to be
   * called before it starts.
   */
  public LocalStack withDoor(KafkaServer.Door door) {
    blueprint.open(door);
    return this;
  }

  /** Where the first instance of a service listens, or will. */
  public int port(Service service) {
    return blueprint.port(service);
  }

  /** From now on nothing of this stack survives this JVM. */
  public void diesWithThisJvm() {
    diesWithThisJvm = true;
    instances.values().forEach(ServerProcess::diesWithThisJvm);
  }

  /** From now on the stack lives on when this JVM ends. */
  public void outlivesThisJvm() {
    diesWithThisJvm = false;
    instances.values().forEach(ServerProcess::outlivesThisJvm);
  }

  /** The same stack, as other commands have left it. */
  public LocalStack lookAgain() {
    return at(home(), portOffset);
  }

  /**
   * Starts everything: one of each, and two relays. Returns when all are ready; if one fails, none
   * is left.
   */
  public void start() {
    start(_ -> {});
  }

  public void start(Progress progress) {
    folder.claim();
    for (Service service : Service.values()) {
      instance(service.number(1));
    }
    instance(Service.OUTBOX_RELAY.number(2));
    new Startup(this, progress).run();
  }

  /** Ends everything in order: who works before what they work on. */
  public void stop() {
    List<ServerProcess> workers = new ArrayList<>();
    List<ServerProcess> ground = new ArrayList<>();
    instances.forEach(
        (name, server) ->
            (name.service().compareTo(Service.ORDER_SERVICE) < 0 ? ground : workers).add(server));
    ServerProcess.stopAll(workers);
    ServerProcess.stopAll(ground);
    stateFile.delete();
  }

  /** {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }

  /** Deletes the data of a stack that does not run. */
  public void wipe() {
    if (isRunning()) {
      throw new ServerFailed("The stack in %s runs; stop it first.".formatted(folder.home()));
    }
    folder.wipe();
  }

  public boolean isRunning() {
    return instances.values().stream().anyMatch(ServerProcess::isAlive);
  }

  /**
   * One process of the stack, to be killed, frozen, started again.
   *
   * @param name a service, or an instance like {@code outbox-relay#2}
   * @throws UnknownName with the names there are
   */
  public ServerProcess instance(String name) {
    InstanceName wanted = InstanceName.parse(name);
    ServerProcess server = instances.get(wanted);
    if (server == null) {
      String hint =
          wanted.service().scalable()
              ? " `scale %s=%d` adds it.".formatted(wanted.service(), wanted.number())
              : "";
      throw new UnknownName(
          "This stack has no %s.%s There are: %s.".formatted(wanted, hint, names()));
    }
    return server;
  }

  /** All instances, also those that do not run right now. */
  public Map<InstanceName, ServerProcess> instances() {
    return new TreeMap<>(instances);
  }

  /** Starts one instance and returns when it is ready; does nothing if it runs. */
  public void start(String name) {
    ServerProcess server = instance(name);
    launch(server);
    server.awaitReady();
  }

  /** Starts or ends instances until there are so many; the last to come are the first to go. */
  public void scale(Service service, int count) {
    if (!service.scalable()) {
      throw new UnknownName("%s runs once; it cannot be scaled.".formatted(service));
    }
    if (count < 0 || count > InstanceName.MOST) {
      throw new IllegalArgumentException(
          "%s can be scaled from 0 to %d, not to %d.".formatted(service, InstanceName.MOST, count));
    }
    synchronized (scaling) {
      scaleTo(service, count);
    }
  }

  private void scaleTo(Service service, int count) {
    List<InstanceName> surplus =
        instances.keySet().stream()
            .filter(name -> name.service() == service && name.number() > count)
            .toList();
    ServerProcess.stopAll(surplus.stream().map(this::instance).toList());
    surplus.forEach(instances::remove);
    List<ServerProcess> wanted = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      wanted.add(instance(service.number(number)));
    }
    wanted.forEach(this::launch);
    remember();
    wanted.forEach(ServerProcess::awaitReady);
  }

  /** Where orders are placed. */
  public URI orders() {
    return blueprint.url(Service.ORDER_SERVICE.number(1));
  }

  /** Where the emails arrive, and faults are switched on. */
  public URI emailStub() {
    return blueprint.url(Service.EMAIL_STUB.number(1));
  }

  /** Health, metrics and operator actions of one of Kabar's services. */
  public URI management(String name) {
    return blueprint.management(InstanceName.parse(name));
  }

  /** For the role that owns it; each role's password is its name. */
  public String jdbcUrl(String database) {
    return blueprint.jdbcUrl(database);
  }

  public String bootstrapServers() {
    return blueprint.bootstrapServers();
  }

  /** The password of the user {@code operator} on every management port. */
  public String operatorPassword() {
    return folder.operatorPassword();
  }

  public Path home() {
    return folder.home();
  }

  /** Where an instance writes; there from its first start on, also when it no longer runs. */
  public Path log(String name) {
    return folder.log(InstanceName.parse(name));
  }

  /** Writes down which processes run, for the next command. */
  public synchronized void remember() {
    stateFile.write(StackState.of(instances));
  }

  /** Makes its folder a stack's before it starts, for those who put something there. */
  public void claim() {
    folder.claim();
  }

  /** Allows one command at a time to change the stack. */
  public Lock lock() {
    folder.claim();
    return StackLock.take(folder);
  }

  void launch(ServerProcess server) {
    server.launch();
    remember(); // at once: if this JVM is killed now, the next command finds the process
  }

  ServerProcess instance(InstanceName name) {
    return instances.computeIfAbsent(
        name,
        n -> {
          ServerProcess server = blueprint.build(n);
          if (diesWithThisJvm) {
            server.diesWithThisJvm();
          }
          return server;
        });
  }

  private void recall(Remembered remembered) {
    ports.remember(remembered.name(), remembered.ports());
    remembered.process().ifPresent(instance(remembered.name())::adopt);
  }

  private String names() {
    return instances.keySet().stream()
        .map(InstanceName::toString)
        .collect(Collectors.joining(", "));
  }
}
