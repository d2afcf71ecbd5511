/**
 * What Debezium needs to publish the outbox as the relay does: one transformation for Kafka
 * Connect, and a small main that runs a configuration without Connect.
 */
@NullMarked
package id.kabar.outgrow;

import org.jspecify.annotations.NullMarked;
