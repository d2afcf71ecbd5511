/** Promises of the relay and their proofs. */
@NullMarked
package id.kabar.relay;

import org.jspecify.annotations.NullMarked;
