package id.kabar.localstack.command;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/** Prints for people: colours on a terminal, plain text elsewhere. */
final class Terminal {

  private final PrintStream out;
  private final PrintStream err;

  Terminal(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  void say(String text) {
    out.println(text);
    out.flush();
  }

  void good(String text) {
    say(styled("green", "✓") + " " + text);
  }

  void title(String text) {
    say(styled("bold", text));
  }

  void error(@Nullable String message) {
    err.println(styled("red", "kabar:") + " " + message);
    err.flush();
  }

  /** The text in a style of picocli's, for instance {@code bold} or {@code red}. */
  static String styled(String style, String text) {
    return Ansi.AUTO.enabled()
        ? Ansi.Style.on(Ansi.Style.valueOf(style)) + text + "\u001b[0m"
        : text;
  }
}
