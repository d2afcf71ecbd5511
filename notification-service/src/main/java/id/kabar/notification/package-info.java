/** Sends one email per payment, and keeps what failed for good as dead letters. */
@NullMarked
package id.kabar.notification;

import org.jspecify.annotations.NullMarked;
