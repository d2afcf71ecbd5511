package id.kabar.localstack;

import id.kabar.localstack.servers.ServerFailed;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder with Kabar's sources, where the services are built. */
final class Checkout {

  static final String PROPERTY = "kabar.checkout";

  private final Path root;

  Checkout(Path root) {
    this.root = root;
  }

  /** The one given by the system property, else the one around the working directory. */
  static Checkout find() {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return new Checkout(Path.of(given).toAbsolutePath());
    }
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve("local-stack"))
          && Files.isDirectory(folder.resolve("order-service"))) {
        return new Checkout(folder);
      }
    }
    throw new ServerFailed(
        "%s lies in no checkout of Kabar. Start it from there, or give -D%s."
            .formatted(start, PROPERTY));
  }

  Path root() {
    return root;
  }

  Path stackHome() {
    return root.resolve(".kabar");
  }

  BootApp app(Service service) {
    Path target = root.resolve(service.label()).resolve("target");
    return new BootApp(service.label(), target.resolve(service.label() + ".jar"), target);
  }
}
