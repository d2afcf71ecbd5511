/** Shows that the stub keeps a provider's promises, and breaks them as it is told. */
@NullMarked
package id.kabar.emailstub;

import org.jspecify.annotations.NullMarked;
