package id.kabar.localstack.chaos;

import id.kabar.localstack.InstanceName;
import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clocks of Kabar's own services and of PostgreSQL, one per process, each with a file that
 * says how far it is off. Timers go on as before. Needs Debian's package libfaketime, unpacked at
 * least.
 */
final class Clocks {

  /** Names the library where it is not installed in its usual place. */
  static final String LIBRARY = "KABAR_FAKETIME";

  private static final List<Service> SERVICES =
      List.of(
          Service.POSTGRES,
          Service.ORDER_SERVICE,
          Service.OUTBOX_RELAY,
          Service.NOTIFICATION_SERVICE);

  /** Of a service, at any time. */
  static final int MOST_INSTANCES = 5;

  private final Path folder;

  private Clocks(Path folder) {
    this.folder = folder;
  }

  /** Gives a stack that has not started such clocks; empty where the library is not found. */
  static Optional<Clocks> in(LocalStack stack, Path folder) {
    return library()
        .map(
            library -> {
              Clocks clocks = new Clocks(folder);
              clocks.allRight();
              for (Service service : SERVICES) {
                stack.withEach(
                    service,
                    name ->
                        Map.of(
                            "LD_PRELOAD", library.toString(),
                            "FAKETIME_TIMESTAMP_FILE", clocks.file(name).toString(),
                            "FAKETIME_CACHE_DURATION", "1",
                            "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                            // Else a JVM's timed waits end at once.
                            "FAKETIME_FORCE_MONOTONIC_FIX", "0"));
              }
              return clocks;
            });
  }

  void allRight() {
    for (Service service : SERVICES) {
      for (int number = 1; number <= (service.scalable() ? MOST_INSTANCES : 1); number++) {
        set(service.number(number), 0);
      }
    }
  }

  void set(InstanceName name, int hours) {
    try {
      Files.createDirectories(folder);
      Path half = folder.resolve(name.fileName() + ".new");
      Files.writeString(half, "%+d%n".formatted(hours * 3600));
      Files.move(half, file(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(InstanceName name) {
    return folder.resolve(name.fileName());
  }

  private static Optional<Path> library() {
    String named = System.getenv(LIBRARY);
    if (named != null) {
      return Optional.of(Path.of(named).toAbsolutePath());
    }
    Path lib = Path.of("/usr/lib");
    if (!Files.isDirectory(lib)) {
      return Optional.empty();
    }
    try (Stream<Path> folders = Files.list(lib)) {
      return folders
          .map(folder -> folder.resolve("faketime").resolve("libfaketimeMT.so.1"))
          .filter(Files::exists)
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
