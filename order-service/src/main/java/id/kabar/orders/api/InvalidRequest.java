package id.kabar.orders.api;

import java.util.List;

/** A request that is wrong whatever the state of the service. */
public final class InvalidRequest extends RuntimeException {

  private final transient List<InvalidField> errors;

  public InvalidRequest(List<InvalidField> errors) {
    super("%d field%s at fault.".formatted(errors.size(), errors.size() == 1 ? " is" : "s are"));
    this.errors = List.copyOf(errors);
  }

  public InvalidRequest(String message) {
    super(message);
    this.errors = List.of();
  }

  List<InvalidField> errors() {
    return errors;
  }
}
