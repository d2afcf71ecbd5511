package id.kabar.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import id.kabar.systemtests.ShellBlocks.Block;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShellBlocksTest {

  private static final String PAGE =
      """
      # Title

      ```sh
      ORDER=7
      ./kabar up -d
      ```

      <!-- not executed: needs Docker -->

      ```sh
      docker compose up
      ```

      <!-- not executed: this one is not about a block -->
      Some text.

      ```json
      {"shown": "only"}
      ```
      ```sh
      echo "$ORDER"
      ```
      """;

  private final ShellBlocks blocks = ShellBlocks.of(PAGE);

  @Test
  void shellBlocksAreExecutedAndOthersAreNot() {
    assertThat(blocks.executed())
        .extracting(Block::line, Block::commands)
        .containsExactly(tuple(3, "ORDER=7\n./kabar up -d"), tuple(20, "echo \"$ORDER\""));
  }

  @Test
  void blockAfterTheCommentIsSkippedWithItsReason() {
    assertThat(blocks.skipped())
        .isEqualTo(List.of(new Block(10, "docker compose up", Optional.of("needs Docker"))));
  }

  @Test
  void laterBlocksSeeWhatEarlierOnesHaveSet() {
    assertThat(blocks.script())
        .isEqualTo(
            """
            set -eu
            echo '=== block of line 3 ==='
            ORDER=7
            ./kabar up -d
            echo '=== block of line 20 ==='
            echo "$ORDER"
            echo '=== done ==='
            """);
  }

  @Test
  void fenceWithoutAnEndIsRefused() {
    assertThatThrownBy(() -> ShellBlocks.of("text\n```sh\nls\n"))
        .hasMessage("the fence of line 2 has no end");
  }
}
