/** The relays that are compared, and the loads they are compared under. */
@NullMarked
package id.kabar.benchmarks.outbox;

import org.jspecify.annotations.NullMarked;
