/**
 * Breaks a stack of its own at random, from a seed, while customers buy; then heals it and lets the
 * history judge.
 */
@NullMarked
package id.kabar.localstack.chaos;

import org.jspecify.annotations.NullMarked;
