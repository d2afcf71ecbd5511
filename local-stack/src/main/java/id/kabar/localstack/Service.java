package id.kabar.localstack;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the stack consists of, in the order in which an event travels from the bottom up. */
public enum Service {
  POSTGRES("postgres", false),
  KAFKA("kafka", false),
  EMAIL_STUB("email-stub", false),
  ORDER_SERVICE("order-service", false),
  OUTBOX_RELAY("outbox-relay", true),
  NOTIFICATION_SERVICE("notification-service", true);

  private final String label;
  private final boolean scalable;

  Service(String label, boolean scalable) {
    this.label = label;
    this.scalable = scalable;
  }

  /** The name it has everywhere: folder, compose service, manifest. */
  public String label() {
    return label;
  }

  /** Whether it may run more than once. */
  public boolean scalable() {
    return scalable;
  }

  public InstanceName number(int number) {
    return new InstanceName(this, number);
  }

  /**
   * The service of that name.
   *
   * @throws UnknownName with the names there are
   */
  public static Service named(String label) {
    Optional<Service> service =
        Arrays.stream(values()).filter(each -> each.label.equals(label)).findFirst();
    return service.orElseThrow(
        () ->
            new UnknownName("There is no service '%s'. There are: %s.".formatted(label, labels())));
  }

  static String labels() {
    return Arrays.stream(values()).map(Service::label).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return label;
  }
}
