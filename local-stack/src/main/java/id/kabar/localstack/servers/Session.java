package id.kabar.localstack.servers;

import java.util.List;
import java.util.stream.Stream;

/**
 * Starts a command in a session of its own: Ctrl-C in a terminal reaches the whole session of the
 * terminal, and our servers must end in their order and not all at once.
 */
final class Session {

  private static final List<String> PREFIX = prefix();

  private Session() {}

  static List<String> ofItsOwn(List<String> command) {
    return Stream.concat(PREFIX.stream(), command.stream()).toList();
  }

  // Both replace themselves by the command, so the process keeps its id. macOS has no setsid, but
  // has Perl.
  private static List<String> prefix() {
    if (Programs.isInstalled("setsid")) {
      return List.of("setsid");
    }
    if (Programs.isInstalled("perl")) {
      return List.of("perl", "-MPOSIX", "-e", "POSIX::setsid(); exec {$ARGV[0]} @ARGV");
    }
    return List.of();
  }
}
