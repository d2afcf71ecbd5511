/**
 * What a stack that runs for long takes (memory, open files, threads, tables), and whether that
 * grows. Who works it meanwhile is the business of {@code chaos}.
 */
@NullMarked
package id.kabar.localstack.soak;

import org.jspecify.annotations.NullMarked;
