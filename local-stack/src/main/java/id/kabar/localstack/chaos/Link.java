package id.kabar.localstack.chaos;

import id.kabar.localstack.Service;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who talks to whom, each through a wire of its own that can be cut. */
enum Link {
  CUSTOMERS_TO_ORDERS(null, Service.ORDER_SERVICE),
  ORDERS_TO_POSTGRES(Service.ORDER_SERVICE, Service.POSTGRES),
  RELAY_TO_POSTGRES(Service.OUTBOX_RELAY, Service.POSTGRES),
  RELAY_TO_KAFKA(Service.OUTBOX_RELAY, Service.KAFKA),
  NOTIFICATION_TO_POSTGRES(Service.NOTIFICATION_SERVICE, Service.POSTGRES),
  NOTIFICATION_TO_KAFKA(Service.NOTIFICATION_SERVICE, Service.KAFKA),
  NOTIFICATION_TO_PROVIDER(Service.NOTIFICATION_SERVICE, Service.EMAIL_STUB);

  private final @Nullable Service caller;
  private final Service called;

  Link(@Nullable Service caller, Service called) {
    this.caller = caller;
    this.called = called;
  }

  Service called() {
    return called;
  }

  /** Who is disturbed when it is cut: the caller alone, as others reach the called as before. */
  Set<String> parties() {
    if (this == NOTIFICATION_TO_PROVIDER) {
      return Set.of(Service.EMAIL_STUB.label());
    }
    return Set.of(caller == null ? "customers" : caller.label());
  }

  @Override
  public String toString() {
    return "%s → %s".formatted(caller == null ? "customers" : caller, called);
  }
}
