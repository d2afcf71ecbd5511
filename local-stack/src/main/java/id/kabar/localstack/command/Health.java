package id.kabar.localstack.command;

import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.ServerProcess;

/** How a process of the stack is. */
enum Health {
  /** It says itself that it may be given work. */
  UP(Style.GREEN),
  /** It runs, and says that it may not, or says nothing. */
  NOT_READY(Style.YELLOW),
  /** It was stopped by SIGSTOP. */
  FROZEN(Style.CYAN),
  /** There is no process. */
  DOWN(Style.RED);

  private final Style style;

  Health(Style style) {
    this.style = style;
  }

  static Health of(ServerProcess server) {
    if (!server.isAlive()) {
      return DOWN;
    }
    if (server.process().filter(OsProcess::isFrozen).isPresent()) {
      return FROZEN;
    }
    return server.isReady() ? UP : NOT_READY;
  }

  String styled(int width) {
    String text = name().replace('_', ' ');
    return Terminal.styled(style, text) + " ".repeat(Math.max(1, width - text.length()));
  }
}
