/**
 * The {@code kabar} command: what people type and read. What it does to processes is done by the
 * local stack.
 */
@NullMarked
package id.kabar.localstack.command;

import org.jspecify.annotations.NullMarked;
