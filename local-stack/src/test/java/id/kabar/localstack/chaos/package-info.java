/** The nemesis is predictable, and mends what it breaks. */
@NullMarked
package id.kabar.localstack.chaos;

import org.jspecify.annotations.NullMarked;
