package id.kabar.containertests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The production overlay as its reader gets it by removing two comment signs. */
final class ProductionWithKeda {

  private ProductionWithKeda() {}

  static Manifests rendered() {
    try {
      Path copy = Files.createTempDirectory("k8s");
      try {
        Path k8s = Checkout.ROOT.resolve("k8s");
        try (Stream<Path> files = Files.walk(k8s)) {
          for (Path file : files.toList()) {
            Path target = copy.resolve(k8s.relativize(file).toString());
            if (Files.isDirectory(file)) {
              Files.createDirectories(target);
            } else {
              Files.copy(file, target);
            }
          }
        }
        Path overlay = copy.resolve("overlays/production");
        Path kustomization = overlay.resolve("kustomization.yaml");
        Files.writeString(
            kustomization,
            Files.readString(kustomization)
                .replace("# components:", "components:")
                .replace("#   - ../../components/keda", "  - ../../components/keda"));
        return Manifests.rendered(overlay.toString());
      } finally {
        try (Stream<Path> files = Files.walk(copy)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
