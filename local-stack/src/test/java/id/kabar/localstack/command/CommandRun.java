package id.kabar.localstack.command;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One kabar command, run in this JVM, and what it said. */
record CommandRun(int code, String output, String errors) {

  static CommandRun kabar(Path data, int portOffset, String... words) {
    List<String> arguments = new ArrayList<>(List.of("--data", data.toString()));
    arguments.addAll(List.of("--port-offset", Integer.toString(portOffset)));
    arguments.addAll(List.of(words));
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    StringWriter usage = new StringWriter();
    try {
      System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
      int code =
          Kabar.commandLine()
              .setErr(new PrintWriter(usage, true))
              .execute(arguments.toArray(String[]::new));
      return new CommandRun(
          code,
          output.toString(StandardCharsets.UTF_8),
          errors.toString(StandardCharsets.UTF_8) + usage);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
