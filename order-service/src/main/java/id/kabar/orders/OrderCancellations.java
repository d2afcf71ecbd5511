package id.kabar.orders;

import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Cancels an order. Nobody is told, so there is no event. */
@Service
class OrderCancellations {

  private final Orders orders;

  OrderCancellations(Orders orders) {
    this.orders = orders;
  }

  @Transactional(noRollbackFor = {OrderNotFound.class, OrderNotPending.class})
  Order cancel(UUID id) {
    Order order = orders.findById(id).orElseThrow(() -> new OrderNotFound(id));
    order.cancel();
    return orders.saveAndFlush(order);
  }
}
