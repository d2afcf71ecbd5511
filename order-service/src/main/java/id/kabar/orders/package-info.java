/**
 * Orders over HTTP: placed, paid or cancelled. A payment and its outbox event are one transaction.
 */
@NullMarked
package id.kabar.orders;

import org.jspecify.annotations.NullMarked;
