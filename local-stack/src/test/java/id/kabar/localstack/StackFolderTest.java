package id.kabar.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackFolderTest {

  @TempDir Path temporary;

  @Test
  void operatorPasswordIsRandomKeptAndReadableByItsOwnerAlone() throws IOException {
    StackFolder folder = claimed("one");
    String password = folder.operatorPassword();

    assertThat(password).matches("[a-zA-Z2-9]{24}");
    assertThat(new StackFolder(folder.home()).operatorPassword()).isEqualTo(password);
    assertThat(claimed("two").operatorPassword()).isNotEqualTo(password);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.home().resolve("operator-password"))))
        .isEqualTo("rw-------");
  }

  @Test
  void folderOfSomethingElseIsNeitherUsedNorWiped() throws IOException {
    Path home = Files.createDirectory(temporary.resolve("home"));
    Path letter = Files.writeString(home.resolve("letter.txt"), "dear");
    StackFolder folder = new StackFolder(home);

    assertThatThrownBy(folder::claim)
        .hasMessageContaining("is not empty and holds no data of Kabar");
    assertThatThrownBy(folder::wipe).hasMessageContaining("nothing was deleted");
    assertThat(letter).exists();
  }

  @Test
  void wipeLeavesNothing() {
    StackFolder folder = claimed("gone");
    folder.operatorPassword();

    folder.wipe();

    assertThat(folder.home()).doesNotExist();
  }

  @Test
  void secondCommandIsToldWhoChangesTheStack() {
    StackFolder folder = claimed("locked");
    try (var _ = StackLock.take(folder)) {
      assertThatThrownBy(() -> StackLock.take(folder))
          .hasMessageContaining(
              "Another kabar command (process %d)".formatted(ProcessHandle.current().pid()))
          .hasMessageContaining("Try again when it is done");
    }
    StackLock.take(folder).close();
  }

  private StackFolder claimed(String name) {
    StackFolder folder = new StackFolder(temporary.resolve(name));
    folder.claim();
    return folder;
  }
}
