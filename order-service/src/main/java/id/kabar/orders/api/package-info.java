/**
 * The manners of the HTTP API, whatever it is about: bounded bodies, headers, and every refusal an
 * application/problem+json of a stable type.
 */
@NullMarked
package id.kabar.orders.api;

import org.jspecify.annotations.NullMarked;
