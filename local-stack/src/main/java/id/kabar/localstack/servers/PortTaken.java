package id.kabar.localstack.servers;

import java.util.Optional;

/** Somebody else listens on a port that a server needs. */
public final class PortTaken extends ServerFailed {

  private final int port;

  PortTaken(String server, int port, Optional<OsProcess> holder) {
    super(
        "Port %d, which %s needs, is taken%s."
            .formatted(port, server, holder.map(h -> " by process " + h.description()).orElse("")));
    this.port = port;
  }

  public int port() {
    return port;
  }
}
