package id.kabar.orders;

import id.kabar.orders.outbox.Outbox;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Pays an order: the change of its state and the event that tells of it are committed together, or
 * not at all.
 */
@Service
class OrderPayments {

  private final Orders orders;
  private final Outbox outbox;
  private final Supplier<UUID> ids;
  private final Clock clock;
  private final JsonMapper json;

  OrderPayments(Orders orders, Outbox outbox, Supplier<UUID> ids, Clock clock, JsonMapper json) {
    this.orders = orders;
    this.outbox = outbox;
    this.ids = ids;
    this.clock = clock;
    this.json = json;
  }

  // A refusal comes before any write: a transaction around this one may go on, and keep the refusal
  // as its answer.
  @Transactional(noRollbackFor = {OrderNotFound.class, OrderNotPending.class})
  Order pay(UUID id) {
    Order order = orders.findById(id).orElseThrow(() -> new OrderNotFound(id));
    OrderPaid paid = order.pay(ids.get(), clock);
    // The row decides which of two payments wins, and is locked before the event draws its
    // position.
    Order saved = orders.saveAndFlush(order);
    outbox.append(paid.toOutboxEvent(json));
    return saved;
  }
}
