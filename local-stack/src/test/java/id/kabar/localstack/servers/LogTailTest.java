package id.kabar.localstack.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

  @TempDir Path folder;

  @Test
  void quotesTheLastLinesAndSaysWhereTheRestIs() throws IOException {
    Path log = folder.resolve("kafka.log");
    Files.writeString(
        log,
        IntStream.rangeClosed(1, 100)
            .mapToObj("line %d\n"::formatted)
            .collect(Collectors.joining()));

    assertThat(LogTail.quote(log))
        .startsWith("The last lines of " + log)
        .contains("line 89", "line 100")
        .doesNotContain("line 88");
  }

  @Test
  void leavesOutStackFramesSoThatTheCauseIsSeen() throws IOException {
    Path log = folder.resolve("service.log");
    String frames = "\tat java.base/Thread.run(Thread.java:1)\n".repeat(50);
    Files.writeString(log, "Caused by: the port is taken\n" + frames + "\t... 13 more\n");

    assertThat(LogTail.lines(log)).containsExactly("Caused by: the port is taken");
  }

  @Test
  void emptyLogIsSaidToBeEmpty() {
    assertThat(LogTail.quote(folder.resolve("never-written.log"))).endsWith("is empty.");
  }
}
