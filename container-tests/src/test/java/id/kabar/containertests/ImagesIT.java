package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each image is small, says what it is and what it is made of, and asks for no rights. */
@Order(1)
class ImagesIT {

  private static final long LARGEST = 350_000_000;

  @BeforeAll
  static void build() {
    Docker.assumeItAnswers();
    Docker.buildImages();
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service", "email-stub"})
  void saysWhatItIs(String name) {
    JsonNode labels = json(name, "{{json .Config.Labels}}");
    assertThat(labels.path("org.opencontainers.image.title").asString()).isEqualTo(name);
    assertThat(labels.path("org.opencontainers.image.licenses").asString()).isEqualTo("Apache-2.0");
    assertThat(labels.path("org.opencontainers.image.source").asString()).isNotEmpty();
    assertThat(ComposeFile.image(name))
        .endsWith(":" + labels.path("org.opencontainers.image.version").asString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service", "email-stub"})
  void isSmall(String name) {
    long size = Long.parseLong(Docker.inspect(ComposeFile.image(name), "{{.Size}}"));
    System.out.printf("container-tests: the image of %s has %,d bytes%n", name, size);
    assertThat(size).isLessThanOrEqualTo(LARGEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service", "email-stub"})
  void runsAsANumberedUser(String name) {
    assertThat(json(name, "{{json .Config.User}}").asString()).isEqualTo("10001:10001");
    assertThat(json(name, "{{json .Config.Entrypoint}}").get(0).asString()).isEqualTo("java");
    assertThat(json(name, "{{json .Config.Healthcheck.Test}}").get(0).asString()).isEqualTo("CMD");
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service", "email-stub"})
  void hasNoProgramButJava(String name) {
    List<String> programs = new ArrayList<>();
    for (String file : filesIn(name)) {
      if (file.matches("(usr/)?(local/)?s?bin/.+|opt/.*/bin/.+")) {
        programs.add(file.substring(file.lastIndexOf('/') + 1));
      }
    }
    assertThat(programs).contains("java").doesNotContain("sh", "bash", "curl", "apt", "jcmd");
    assertThat(programs).isSubsetOf("java", "keytool", "rmiregistry", "jfr", "jrunscript");
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service", "email-stub"})
  void tellsWhatItIsMadeOf(String name, @TempDir Path folder) throws IOException {
    Path jar = folder.resolve(name + ".jar");
    String container = Docker.run("create", ComposeFile.image(name));
    try {
      Docker.run("cp", "%s:/app/%s.jar".formatted(container, name), jar.toString());
    } finally {
      Docker.run("rm", container);
    }
    try (JarFile file = new JarFile(jar.toFile());
        InputStream sbom = file.getInputStream(bomOf(file))) {
      JsonNode bom = JsonMapper.shared().readTree(sbom);
      assertThat(bom.required("bomFormat").asString()).isEqualTo("CycloneDX");
      assertThat(bom.at("/metadata/component/name").asString()).isEqualTo(name);
      assertThat(bom.required("components")).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service"})
  void startsFromItsTrainedCache(String name) {
    Docker.run(
        "run",
        "--rm",
        "--entrypoint=java",
        ComposeFile.image(name),
        "@java.options",
        "-XX:AOTCache=app.aot",
        "-XX:AOTMode=on", // refuses to start without
        "-cp",
        name + ".jar",
        "-version");
  }

  private static List<String> filesIn(String name) {
    String container = Docker.run("create", ComposeFile.image(name));
    try {
      return Command.of("sh", "-c", "docker export " + container + " | tar t")
          .run()
          .lines()
          .toList();
    } finally {
      Docker.run("rm", container);
    }
  }

  private static ZipEntry bomOf(JarFile file) {
    return file.stream()
        .filter(entry -> entry.getName().endsWith("META-INF/sbom/application.cdx.json"))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("there is no bill of materials in " + file.getName()));
  }

  private static JsonNode json(String name, String template) {
    return JsonMapper.shared().readTree(Docker.inspect(ComposeFile.image(name), template));
  }
}
