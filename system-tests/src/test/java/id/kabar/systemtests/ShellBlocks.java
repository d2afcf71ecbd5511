package id.kabar.systemtests;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shell commands a Markdown page shows: its fenced blocks marked {@code sh}. A block right
 * after the comment {@code <!-- not executed: reason -->} is shown only.
 */
final class ShellBlocks {

  private static final String FENCE = "```";
  private static final Pattern NOT_EXECUTED = Pattern.compile("<!-- not executed: (.+?) -->");

  private final List<Block> blocks;

  private ShellBlocks(List<Block> blocks) {
    this.blocks = List.copyOf(blocks);
  }

  /**
   * Commands of a page.
   *
   * @param line where their fence begins, from 1
   * @param notExecuted why they are only shown; empty for commands that hold
   */
  record Block(int line, String commands, Optional<String> notExecuted) {}

  static ShellBlocks of(String markdown) {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = markdown.lines().toList();
    Optional<String> reason = Optional.empty();
    int at = 0;
    while (at < lines.size()) {
      String line = lines.get(at).strip();
      if (!line.startsWith(FENCE)) {
        reason = line.isEmpty() ? reason : reasonIn(line);
        at++;
        continue;
      }
      int end = endOfFence(lines, at);
      if (line.equals(FENCE + "sh")) {
        blocks.add(new Block(at + 1, String.join("\n", lines.subList(at + 1, end)), reason));
      }
      reason = Optional.empty();
      at = end + 1;
    }
    return new ShellBlocks(blocks);
  }

  List<Block> executed() {
    return blocks.stream().filter(block -> block.notExecuted().isEmpty()).toList();
  }

  List<Block> skipped() {
    return blocks.stream().filter(block -> block.notExecuted().isPresent()).toList();
  }

  /** One script: what a block sets, later ones see; it stops at the first command that fails. */
  String script() {
    StringBuilder script = new StringBuilder("set -eu\n");
    for (Block block : executed()) {
      script.append("echo '=== block of line ").append(block.line()).append(" ==='\n");
      script.append(block.commands()).append('\n');
    }
    return script.append("echo '=== done ==='\n").toString();
  }

  private static Optional<String> reasonIn(String line) {
    Matcher comment = NOT_EXECUTED.matcher(line);
    return comment.matches() ? Optional.of(comment.group(1)) : Optional.empty();
  }

  private static int endOfFence(List<String> lines, int begin) {
    for (int at = begin + 1; at < lines.size(); at++) {
      if (lines.get(at).strip().equals(FENCE)) {
        return at;
      }
    }
    throw new IllegalArgumentException("the fence of line %d has no end".formatted(begin + 1));
  }
}
