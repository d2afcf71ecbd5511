package id.kabar.localstack.servers;

import org.jspecify.annotations.Nullable;

/** A server did not do what was asked; the message says what happened and what to do. */
public class ServerFailed extends RuntimeException {

  public ServerFailed(String message) {
    this(message, null);
  }

  public ServerFailed(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
