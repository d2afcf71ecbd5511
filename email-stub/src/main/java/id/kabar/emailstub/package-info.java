/** Stands in for the email provider: an idempotent inbox, and fault switches. */
@NullMarked
package id.kabar.emailstub;

import org.jspecify.annotations.NullMarked;
