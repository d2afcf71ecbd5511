/** Sites are tried on programs that only pretend to be docker and kubectl. */
@NullMarked
package id.kabar.localstack.site;

import org.jspecify.annotations.NullMarked;
