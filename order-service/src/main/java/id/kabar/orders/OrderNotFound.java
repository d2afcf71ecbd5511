package id.kabar.orders;

import java.util.UUID;

final class OrderNotFound extends RuntimeException {

  OrderNotFound(UUID id) {
    super("There is no order " + id + ".");
  }
}
