package id.kabar.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import id.kabar.localstack.StackState.Remembered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {

  @TempDir Path folder;

  @Test
  void nextCommandReadsWhatTheLastOneWrote() {
    StackState state =
        new StackState(
            List.of(
                new Remembered("outbox-relay", 2, List.of(9181), 4711L, "123456"),
                new Remembered("kafka", 1, List.of(19092, 19093), null, null)));
    file().write(state);

    assertThat(file().read()).isEqualTo(state);
  }

  @Test
  void withoutAFileThereIsNoStack() {
    assertThat(file().read()).isEqualTo(StackState.EMPTY);
  }

  @Test
  void unreadableFileIsToldWithWhatToDo() throws IOException {
    Files.writeString(folder.resolve("stack.json"), "{\"processes\":[");

    assertThatThrownBy(() -> file().read())
        .hasMessageContaining("stack.json cannot be read")
        .hasMessageContaining("then delete the file");
  }

  @Test
  void writingLeavesNoOtherFileBehind() throws IOException {
    file().write(StackState.EMPTY);
    file().write(StackState.EMPTY);

    try (var files = Files.list(folder)) {
      assertThat(files.map(f -> f.getFileName().toString())).containsExactly("stack.json");
    }
  }

  private StateFile file() {
    return new StateFile(folder.resolve("stack.json"));
  }
}
