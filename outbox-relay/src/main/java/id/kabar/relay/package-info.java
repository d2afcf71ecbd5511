/** Moves committed outbox events to Kafka. Writing them is the business of order-service. */
@NullMarked
package id.kabar.relay;

import org.jspecify.annotations.NullMarked;
