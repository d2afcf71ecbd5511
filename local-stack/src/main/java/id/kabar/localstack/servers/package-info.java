/**
 * PostgreSQL, Kafka and any other server as a real process of the operating system: started,
 * stopped, killed, frozen and found again. The roles and databases that Kabar needs are made here;
 * what its services are is not known here.
 */
@NullMarked
package id.kabar.localstack.servers;

import org.jspecify.annotations.NullMarked;
