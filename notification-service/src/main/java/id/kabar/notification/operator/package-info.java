/** Who may use the operators' port, and how errors look on it. What can be done lives elsewhere. */
@NullMarked
package id.kabar.notification.operator;

import org.jspecify.annotations.NullMarked;
