/**
 * The database: what was sent, and what has failed for good. All SQL of this service is here, one
 * class per table owner; nothing here knows Kafka or HTTP.
 */
@NullMarked
package id.kabar.notification.ledger;

import org.jspecify.annotations.NullMarked;
