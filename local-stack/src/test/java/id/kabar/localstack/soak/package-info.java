/** What a stack takes is read rightly, and growth is told from noise. */
@NullMarked
package id.kabar.localstack.soak;

import org.jspecify.annotations.NullMarked;
