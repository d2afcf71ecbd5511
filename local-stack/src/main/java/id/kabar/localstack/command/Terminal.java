package id.kabar.localstack.command;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/** Prints for people: colours on a terminal, plain text elsewhere. */
final class Terminal {

  private final PrintStream out;
  private final PrintStream err;
  private final String tick;

  Terminal(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
    this.tick = out.charset().newEncoder().canEncode('✓') ? "✓" : "+"; // not in the C locale
  }

  void say(String text) {
    out.println(text);
    out.flush();
  }

  void good(String text) {
    say(styled(Style.GREEN, tick) + " " + text);
  }

  void title(String text) {
    say(styled(Style.BOLD, text));
  }

  void error(@Nullable String message) {
    err.println(styled(Style.RED, "kabar:") + " " + message);
    err.flush();
  }

  /** The text in a style where there is a terminal that wants it; NO_COLOR is respected. */
  static String styled(Style style, String text) {
    return Ansi.AUTO.enabled() ? style.on(text) : text;
  }
}
