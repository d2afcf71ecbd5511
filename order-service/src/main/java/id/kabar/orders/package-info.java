/**
 * Orders over HTTP: placed, paid or cancelled. A payment and its outbox event are one transaction;
 * telling anybody about it is the business of outbox-relay.
 */
@NullMarked
package id.kabar.orders;

import org.jspecify.annotations.NullMarked;
