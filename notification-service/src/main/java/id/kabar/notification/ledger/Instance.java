package id.kabar.notification.ledger;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Who claims: host and process for people, a fresh token per claim for certainty. */
@Component
class Instance {

  private final String name = hostName() + ":" + ProcessHandle.current().pid();
  private final Supplier<UUID> tokens;

  Instance(Supplier<UUID> tokens) {
    this.tokens = tokens;
  }

  /** An owner no other claim has, be it of this very process. */
  String newClaim() {
    return name + "/" + tokens.get();
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }
}
