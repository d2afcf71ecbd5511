/**
 * What is measured, on which servers, and how often. The relays that are compared are in {@code
 * outbox}, payments and emails in rooms of their own, and what becomes of the figures in {@code
 * report}.
 */
@NullMarked
package id.kabar.benchmarks;

import org.jspecify.annotations.NullMarked;
