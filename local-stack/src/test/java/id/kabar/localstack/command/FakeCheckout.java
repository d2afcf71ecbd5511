package id.kabar.localstack.command;

import id.kabar.localstack.servers.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.IntStream;

/** A checkout whose services are fakes, with a stack of its own. */
final class FakeCheckout {

  private static final List<String> SERVICES =
      List.of("email-stub", "order-service", "outbox-relay", "notification-service");

  private final Path root;
  private final int portOffset = freeOffset();

  FakeCheckout(Path root) throws IOException {
    this.root = root;
    for (String service : SERVICES) {
      Files.createDirectories(target(service));
      writeJar(target(service).resolve(service + ".jar"));
    }
  }

  Path data() {
    return root.resolve("data");
  }

  int port(int documented) {
    return documented + portOffset;
  }

  CommandRun kabar(String... words) {
    System.setProperty("kabar.checkout", root.toString());
    return CommandRun.kabar(data(), portOffset, words);
  }

  void letCrash(String service) throws IOException {
    Files.createFile(target(service).resolve("crash"));
  }

  void unbuild(String service) throws IOException {
    Files.delete(target(service).resolve(service + ".jar"));
  }

  private Path target(String service) {
    return root.resolve(service).resolve("target");
  }

  private static void writeJar(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, FakeService.class.getName());
    String entry = FakeService.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        InputStream in = FakeService.class.getClassLoader().getResourceAsStream(entry)) {
      out.putNextEntry(new JarEntry(entry));
      in.transferTo(out);
    }
  }

  /** An offset at which all ports of a stack are free, so that tests can run beside a stack. */
  private static int freeOffset() {
    return IntStream.generate(() -> Ports.free() - 8_080)
        .limit(100)
        .filter(offset -> offset > 0 && offset < 12_000)
        .filter(
            offset ->
                IntStream.of(8080, 8089, 9080, 9081, 9082, 9181, 9182, 9282, 15432, 19092, 19093)
                    .allMatch(port -> Ports.isFree(port + offset)))
        .findFirst()
        .orElseThrow();
  }
}
