/**
 * Services in miniature with one mistake each, on a real PostgreSQL and a real Kafka: what the
 * history check must catch. The product has none of them.
 */
@NullMarked
package id.kabar.localstack.broken;

import org.jspecify.annotations.NullMarked;
