/** The history check is itself checked: on clean histories, and on each kind of broken one. */
@NullMarked
package id.kabar.localstack.history;

import org.jspecify.annotations.NullMarked;
