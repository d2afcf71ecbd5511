/**
 * Turns a paid order into an email and hands it to the provider. Whether it may be sent at all is
 * decided elsewhere.
 */
@NullMarked
package id.kabar.notification.email;

import org.jspecify.annotations.NullMarked;
