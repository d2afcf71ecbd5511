package id.kabar.localstack.chaos;

import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small file system of its own for a server's data, which can be full. Needs to be root. */
final class Disk {

  private static final int MEGABYTES = 768;
  private static final String BALLAST = "ballast";

  private final Path folder;

  private Disk(Path folder) {
    this.folder = folder;
  }

  /**
   * Mounts one.
   *
   * @throws ServerFailed saying why that is not possible
   */
  static Disk mountedOn(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run(
        List.of(
            "mount",
            "-t",
            "tmpfs",
            "-o",
            "size=%dm".formatted(MEGABYTES),
            "kabar-chaos",
            folder.toString()));
    return new Disk(folder);
  }

  /** Ends what a run that was killed has left mounted there. */
  static void forget(Path folder) {
    try {
      boolean mounted =
          Files.exists(Path.of("/proc/mounts"))
              && Files.readAllLines(Path.of("/proc/mounts")).stream()
                  .anyMatch(line -> line.startsWith("kabar-chaos " + folder + " "));
      if (mounted) {
        new Disk(folder).unmount();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes until not a byte is left. */
  void fill() {
    byte[] block = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(folder.resolve(BALLAST))) {
      for (int size = block.length; size > 0; size = size == 1 ? 0 : size / 2) {
        write(out, block, size);
      }
    } catch (IOException full) {
      // What was wanted, at the last byte.
    }
  }

  private static void write(OutputStream out, byte[] block, int size) {
    try {
      for (int written = 0; written < MEGABYTES * 2; written++) {
        out.write(block, 0, size);
      }
    } catch (IOException full) {
      return; // for blocks of this size
    }
  }

  void free() {
    try {
      Files.deleteIfExists(folder.resolve(BALLAST));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void unmount() {
    run(List.of("umount", "-l", folder.toString())); // whoever still ends there may
  }

  private static void run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new ServerFailed("%s: %s".formatted(String.join(" ", command), said.strip()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailed("interrupted", e);
    }
  }
}
