package id.kabar.localstack;

import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The state as a JSON file, replaced as a whole so that a reader never sees half of it. */
final class StateFile {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path file;

  StateFile(Path file) {
    this.file = file;
  }

  StackState read() {
    if (!Files.exists(file)) {
      return StackState.EMPTY;
    }
    try {
      return JSON.readValue(Files.readString(file), StackState.class);
    } catch (IOException | JacksonException e) {
      throw new ServerFailed(
          """
          %s cannot be read (%s). Its processes may still run: look for them, then delete the file."""
              .formatted(file, e.getMessage()),
          e);
    }
  }

  void write(StackState state) {
    try {
      Path fresh = Files.createTempFile(file.getParent(), "stack", ".json");
      Files.writeString(
          fresh, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(state) + "\n");
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ServerFailed("%s cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new ServerFailed("%s cannot be deleted: %s".formatted(file, e.getMessage()), e);
    }
  }
}
