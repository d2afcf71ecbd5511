/**
 * What failed for good: published to the dead-letter topic, read back into the database, looked at
 * by people, and sent again. Why it failed is decided elsewhere.
 */
@NullMarked
package id.kabar.notification.deadletter;

import org.jspecify.annotations.NullMarked;
