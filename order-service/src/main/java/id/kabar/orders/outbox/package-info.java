/**
 * Takes events in the transaction of the change they tell of. It knows nothing of orders and
 * nothing of Kafka: moving committed events there is the business of outbox-relay, and of another
 * process.
 */
@NullMarked
package id.kabar.orders.outbox;

import org.jspecify.annotations.NullMarked;
