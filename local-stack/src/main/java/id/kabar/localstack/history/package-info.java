/**
 * Judges what a run of Kabar has left behind. It knows the tables, topics and the provider's inbox
 * from outside and shares no class with the services.
 */
@NullMarked
package id.kabar.localstack.history;

import org.jspecify.annotations.NullMarked;
