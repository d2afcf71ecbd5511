/** How many emails an instance of notification-service sends, and what it needs for that. */
@NullMarked
package id.kabar.benchmarks.emails;

import org.jspecify.annotations.NullMarked;
