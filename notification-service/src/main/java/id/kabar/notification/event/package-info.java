/** The event as it arrives, and the topics it travels on. What is made of it lives elsewhere. */
@NullMarked
package id.kabar.notification.event;

import org.jspecify.annotations.NullMarked;
