/**
 * What order-service would be without its outbox. Runs inside its process, where a benchmark puts
 * it on the class path; nothing of it is in the product.
 */
@NullMarked
package id.kabar.benchmarks.variants;

import org.jspecify.annotations.NullMarked;
