/**
 * Everything Kabar needs on one machine without Docker: real processes, started and broken from
 * here.
 */
@NullMarked
package id.kabar.localstack;

import org.jspecify.annotations.NullMarked;
