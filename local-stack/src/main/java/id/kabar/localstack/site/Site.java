package id.kabar.localstack.site;

import id.kabar.localstack.history.Sources;
import java.net.URI;

/**
 * A running Kabar, as this machine reaches it. Addresses are looked up when they are asked for: not
 * every command needs them all, and some of them cost a connection that {@link #close} ends.
 */
public interface Site extends AutoCloseable {

  Target target();

  /** Where orders are placed. */
  URI orders();

  /** Where the emails arrive, and faults are switched on. */
  URI emailStub();

  /** Where operators of notification-service look at dead letters. */
  URI notifications();

  /** Where operators look at the outbox: one of its relays, each speaks for all. */
  URI relay();

  String operatorPassword();

  /** Where a history is collected from. */
  Sources sources();

  @Override
  default void close() {}
}
