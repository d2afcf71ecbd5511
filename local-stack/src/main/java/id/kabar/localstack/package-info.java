/**
 * Kabar on one machine without Docker: its services, PostgreSQL and Kafka, each as a process of its
 * own, wired together, started in order, broken and started again. The {@code kabar} command and
 * the system tests stand on this.
 */
@NullMarked
package id.kabar.localstack;

import org.jspecify.annotations.NullMarked;
