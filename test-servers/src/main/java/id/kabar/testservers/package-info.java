/** PostgreSQL and Kafka for tests. Nothing a service needs at run time lives here. */
@NullMarked
package id.kabar.testservers;

import org.jspecify.annotations.NullMarked;
