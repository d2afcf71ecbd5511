/** What an outbox costs the caller who pays, and how the whole flow holds under load. */
@NullMarked
package id.kabar.benchmarks.payments;

import org.jspecify.annotations.NullMarked;
