/** Relays that exist only to be compared with; each runs in a process of its own. */
@NullMarked
package id.kabar.benchmarks.relays;

import org.jspecify.annotations.NullMarked;
