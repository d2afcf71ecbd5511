/**
 * Sends one email per payment: claim, call, finish. What failed for good is handed to the dead
 * letters.
 */
@NullMarked
package id.kabar.notification;

import org.jspecify.annotations.NullMarked;
