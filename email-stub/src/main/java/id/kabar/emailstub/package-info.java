/** Stands in for the email provider: an idempotent inbox, and fault switches. It sends nothing. */
@NullMarked
package id.kabar.emailstub;

import org.jspecify.annotations.NullMarked;
