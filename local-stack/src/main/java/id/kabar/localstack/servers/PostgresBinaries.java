package id.kabar.localstack.servers;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked once per user from zonky's archives (about 60 MB). */
final class PostgresBinaries {

  private static @Nullable Path known;

  private PostgresBinaries() {}

  /** The folder with {@code bin}, {@code lib} and {@code share}. */
  static synchronized Path unpacked() throws IOException {
    Path home = known;
    if (home == null) {
      home = unpack();
      known = home;
    }
    return home;
  }

  private static Path unpack() throws IOException {
    byte[] archive = archive();
    Path home = cache().resolve("postgres-" + fingerprint(archive));
    if (!Files.isDirectory(home)) {
      Files.createDirectories(home.getParent());
      // Under another name first: several JVMs may do this at once, and one may be killed half-way.
      Path half = Files.createTempDirectory(home.getParent(), "unpacking-");
      unpack(archive, half);
      try {
        Files.move(half, home, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
        Folders.delete(half); // another one was faster
      }
    }
    return home;
  }

  private static byte[] archive() throws IOException {
    String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String architecture =
        switch (machine) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default ->
              throw new ServerFailed(
                  "There is no embedded PostgreSQL for the architecture %s.".formatted(machine));
        };
    try (InputStream in =
        DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, architecture)) {
      return in.readAllBytes();
    }
  }

  private static void unpack(byte[] archive, Path folder) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new BufferedInputStream(new XZInputStream(new ByteArrayInputStream(archive))))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
          throw new IOException("archive entry outside of its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
          continue;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
          Files.copy(tar, target);
          boolean executable = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
  }

  private static String fingerprint(byte[] archive) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(archive);
      return HexFormat.of().formatHex(digest, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path cache() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path parent =
        cache != null && !cache.isBlank()
            ? Path.of(cache)
            : Path.of(System.getProperty("user.home"), ".cache");
    return parent.resolve("kabar");
  }
}
