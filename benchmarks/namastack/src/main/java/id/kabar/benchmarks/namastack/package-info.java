/** namastack-outbox under the profile that suits it best here; compared with, never shipped. */
@NullMarked
package id.kabar.benchmarks.namastack;

import org.jspecify.annotations.NullMarked;
