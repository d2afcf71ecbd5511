package id.kabar.localstack.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.chaos.ChaosRun.Options;
import id.kabar.localstack.history.Sources;
import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosRunTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void folderWithSomebodysDataIsLeftAlone(@TempDir Path folder) throws IOException {
    Path kept = Files.writeString(folder.resolve("kabar-stack"), "a stack of somebody's");
    Options options = new Options(1, MINUTE, Set.of(), 1, 1);

    assertThatThrownBy(
            () -> new ChaosRun(LocalStack.at(folder, 0), options, _ -> {}).run(new Nobody()))
        .isInstanceOf(ServerFailed.class)
        .hasMessageContainingAll(folder.toString(), "--data");
    assertThat(kept).exists();
  }

  @Test
  void unknownKindOfFaultIsRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> new Options(1, MINUTE, Set.of("killl"), 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("kill", "freeze", "longtransaction");
  }

  @Test
  void runThatBreaksNothingOrNeverEndsIsRefused() {
    assertThatThrownBy(() -> new Options(1, Duration.ZERO, Set.of(), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Options(1, Duration.ofDays(2), Set.of(), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Options(1, MINUTE, Set.of(), 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** What is refused needs no stack. */
  private static final class Nobody implements ChaosRun.Access {

    @Override
    public Sources sources(LocalStack stack) {
      throw new AssertionError("nothing runs");
    }

    @Override
    public int replay(LocalStack stack) {
      throw new AssertionError("nothing runs");
    }
  }
}
