package id.kabar.localstack.chaos;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.localstack.servers.KafkaServer;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.ServerFailed;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a stack is fitted with before it starts so that it can be broken: wires, clocks, disks. */
final class Rig implements AutoCloseable {

  private final Map<Link, Wire> wires = new EnumMap<>(Link.class);
  private final Map<Service, Disk> disks = new EnumMap<>(Service.class);
  private final @Nullable Clocks clocks;
  private final URI orders;
  private @Nullable String whyNoDisks;

  /**
   * @param stack not started, and new
   */
  Rig(LocalStack stack) {
    Path home = stack.home();
    for (Link link : Link.values()) {
      if (link.called() == Service.KAFKA) {
        int listener = Ports.free();
        Wire wire = Wire.to(listener);
        stack.withDoor(new KafkaServer.Door(listener, wire.port()));
        wires.put(link, wire);
      } else {
        wires.put(link, Wire.to(stack.port(link.called())));
      }
    }
    orders = URI.create("http://localhost:" + wire(Link.CUSTOMERS_TO_ORDERS).port());
    stack
        .with(
            Service.ORDER_SERVICE, "SPRING_DATASOURCE_URL", jdbc("orders", Link.ORDERS_TO_POSTGRES))
        .with(Service.OUTBOX_RELAY, "SPRING_DATASOURCE_URL", jdbc("orders", Link.RELAY_TO_POSTGRES))
        .with(Service.OUTBOX_RELAY, "SPRING_KAFKA_BOOTSTRAP_SERVERS", server(Link.RELAY_TO_KAFKA))
        .with(Service.OUTBOX_RELAY, "RELAY_ROUTES_CHAOSPROBE", "chaos.probe")
        .with(
            Service.NOTIFICATION_SERVICE,
            "SPRING_DATASOURCE_URL",
            jdbc("notifications", Link.NOTIFICATION_TO_POSTGRES))
        .with(
            Service.NOTIFICATION_SERVICE,
            "SPRING_KAFKA_BOOTSTRAP_SERVERS",
            server(Link.NOTIFICATION_TO_KAFKA))
        .with(
            Service.NOTIFICATION_SERVICE,
            "EMAIL_URL",
            "http://" + server(Link.NOTIFICATION_TO_PROVIDER));
    // A provider's process may die; what it has accepted it still knows then.
    stack.with(
        Service.EMAIL_STUB, "EMAIL_STUB_JOURNAL", home.resolve("email-stub.journal").toString());
    clocks = Clocks.in(stack, home.resolve("clocks")).orElse(null);
    try {
      for (Service service : List.of(Service.POSTGRES, Service.KAFKA)) {
        disks.put(service, Disk.mountedOn(home.resolve(service.label())));
      }
    } catch (ServerFailed e) {
      whyNoDisks = e.getMessage();
    }
  }

  /** What cannot be broken here, a sentence each. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (clocks == null) {
      missing.add("No clock is moved: Debian's libfaketime is not installed.");
    }
    if (whyNoDisks != null) {
      missing.add("No disk is filled; only root may mount a small one: " + whyNoDisks);
    }
    return missing;
  }

  boolean allows(Fault fault) {
    return switch (fault) {
      case Fault.Clock _ -> clocks != null;
      case Fault.DiskFull(var service) -> disks.containsKey(service);
      default -> true;
    };
  }

  URI orders() {
    return orders;
  }

  Wire wire(Link link) {
    Wire wire = wires.get(link);
    if (wire == null) {
      throw new IllegalArgumentException("no wire " + link);
    }
    return wire;
  }

  Disk disk(Service service) {
    Disk disk = disks.get(service);
    if (disk == null) {
      throw new IllegalArgumentException("no disk of " + service);
    }
    return disk;
  }

  Clocks clocks() {
    if (clocks == null) {
      throw new IllegalStateException("no clocks");
    }
    return clocks;
  }

  void wholeAgain() {
    wires.values().forEach(wire -> wire.become(Wire.Condition.WHOLE));
    disks.values().forEach(Disk::free);
    if (clocks != null) {
      clocks.allRight();
    }
  }

  /** After the stack has stopped. */
  @Override
  public void close() {
    wires.values().forEach(Wire::close);
    disks.values().forEach(Disk::unmount);
    disks.clear();
  }

  private String jdbc(String database, Link link) {
    return "jdbc:postgresql://%s/%s".formatted(server(link), database);
  }

  private String server(Link link) {
    return "localhost:" + wire(link).port();
  }
}
