package id.kabar.orders;

import java.util.UUID;

final class OrderNotPending extends RuntimeException {

  OrderNotPending(UUID id, OrderStatus status) {
    super("Order " + id + " is " + status + "; only a PENDING order can be paid or cancelled.");
  }
}
