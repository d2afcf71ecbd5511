package id.kabar.testservers;

import id.kabar.localstack.servers.PortTaken;
import id.kabar.localstack.servers.ProcessGuard;
import id.kabar.localstack.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Starts a server in a temporary folder; both are gone when this JVM is. */
final class Embedded {

  private static final int TRIES = 5;

  private Embedded() {}

  static <S extends ServerProcess> S started(String name, Function<Path, S> server) {
    Path home = temporary(name);
    for (int attempt = 1; ; attempt++) {
      S started = server.apply(home);
      started.diesWithThisJvm();
      try {
        started.start();
        return started;
      } catch (PortTaken e) { // its free port went to somebody else meanwhile
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }

  private static Path temporary(String name) {
    try {
      Path folder = Files.createTempDirectory("kabar-test-" + name + "-");
      ProcessGuard.remove(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder for " + name, e);
    }
  }
}
