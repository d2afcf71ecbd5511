package id.kabar.localstack;

import id.kabar.localstack.servers.Folders;
import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a stack keeps its data, its logs and what it remembers between two commands. */
final class StackFolder {

  private static final String MARK = "kabar-stack";
  private static final String ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  private static final int PASSWORD_LENGTH = 24;

  private final Path home;

  StackFolder(Path home) {
    this.home = home.toAbsolutePath().normalize();
  }

  Path home() {
    return home;
  }

  Path postgres() {
    return home.resolve("postgres");
  }

  Path kafka() {
    return home.resolve("kafka");
  }

  Path log(InstanceName name) {
    return home.resolve("logs").resolve(name.fileName() + ".log");
  }

  Path state() {
    return home.resolve("stack.json");
  }

  Path lock() {
    return home.resolve("lock");
  }

  /** Makes the folder a stack's, unless it belongs to something else. */
  void claim() {
    try {
      if (!Files.exists(home.resolve(MARK))) {
        if (Files.exists(home) && !isEmpty()) {
          throw new ServerFailed(
              "%s is not empty and holds no data of Kabar. Choose another folder with --data."
                  .formatted(home));
        }
        Files.createDirectories(home);
        Files.writeString(home.resolve(MARK), "Kabar keeps a local stack here.\n");
      }
    } catch (IOException e) {
      throw new ServerFailed(
          "The data folder %s cannot be used: %s".formatted(home, e.getMessage()), e);
    }
  }

  /** Deletes the folder; one that was never claimed is left alone. */
  void wipe() {
    if (!Files.exists(home)) {
      return;
    }
    if (!Files.exists(home.resolve(MARK))) {
      throw new ServerFailed("%s holds no data of Kabar; nothing was deleted.".formatted(home));
    }
    try {
      Folders.delete(home);
    } catch (IOException e) {
      throw new ServerFailed("%s could not be deleted: %s".formatted(home, e.getMessage()), e);
    }
  }

  /** Random, made once, readable by its owner alone. */
  synchronized String operatorPassword() {
    Path file = home.resolve("operator-password");
    try {
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, randomPassword());
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new ServerFailed("%s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static String randomPassword() {
    return new SecureRandom()
        .ints(PASSWORD_LENGTH, 0, ALPHABET.length())
        .mapToObj(i -> ALPHABET.substring(i, i + 1))
        .collect(Collectors.joining());
  }

  private boolean isEmpty() throws IOException {
    try (Stream<Path> entries = Files.list(home)) {
      return entries.findAny().isEmpty();
    }
  }
}
