package id.kabar.containertests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder that holds compose.yaml, the manifests and the services' sources. */
final class Checkout {

  static final Path ROOT = root();

  private Checkout() {}

  static String read(String file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    for (Path folder = here; folder != null; folder = folder.getParent()) {
      if (Files.isRegularFile(folder.resolve("compose.yaml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("there is no compose.yaml in or above " + here);
  }
}
