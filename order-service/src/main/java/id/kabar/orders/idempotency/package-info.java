/**
 * Lets a client ask again after a lost answer: a request under the same Idempotency-Key takes
 * effect once, and is answered alike. It knows nothing of what the requests are about.
 */
@NullMarked
package id.kabar.orders.idempotency;

import org.jspecify.annotations.NullMarked;
