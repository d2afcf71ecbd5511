package id.kabar.containertests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A pod of a manifest as a container of the Docker engine: with the manifest's user, rights,
 * memory, variables, files and probes, reachable by the names of its Services.
 */
final class Pod implements AutoCloseable {

  private final Workload workload;
  private final String name;

  private Pod(Workload workload, String name) {
    this.workload = workload;
    this.name = name;
  }

  /**
   * @param folder for the files that volumes bring
   * @param aliases further names under which others reach it
   */
  static Pod start(Workload workload, String network, Path folder, String... aliases) {
    Pod pod = new Pod(workload, network + "-" + workload.name());
    List<String> line = new ArrayList<>(List.of("docker", "run", "--detach"));
    line.addAll(List.of("--name", pod.name, "--network", network));
    pod.names(aliases).forEach(alias -> line.addAll(List.of("--network-alias", alias)));
    workload.ports().forEach(port -> line.addAll(List.of("--publish", "127.0.0.1::" + port)));
    line.addAll(pod.rights());
    line.addAll(pod.resources());
    line.addAll(pod.volumes(folder));
    workload
        .environment()
        .forEach((key, value) -> line.addAll(List.of("--env", key + "=" + value)));
    line.addAll(pod.command());
    Command.of(line).run();
    return pod;
  }

  String name() {
    return name;
  }

  int publishedPort(int port) {
    return Docker.publishedPort(name, port);
  }

  /** How long Kubernetes would wait for the start before it gives up. */
  Duration patience() {
    JsonNode probe = workload.container().required("startupProbe");
    return Duration.ofSeconds(
        probe.path("periodSeconds").asLong(10) * probe.path("failureThreshold").asLong(3));
  }

  /** Whether the container answers a probe as its manifest asks it. */
  boolean passes(String probeName) {
    JsonNode probe = workload.container().required(probeName);
    if (probe.has("httpGet")) {
      JsonNode request = probe.get("httpGet");
      String url =
          "http://localhost:%d%s"
              .formatted(
                  publishedPort(workload.port(request.required("port"))),
                  request.required("path").asString());
      try {
        int status = Http.get(url).status();
        return status >= 200 && status < 400;
      } catch (IOException e) {
        return false;
      }
    }
    if (probe.has("exec")) {
      return inside(texts(probe.at("/exec/command")));
    }
    int port = workload.port(probe.required("tcpSocket").required("port"));
    return inside(List.of("bash", "-c", "exec 3<>/dev/tcp/localhost/" + port));
  }

  /** Stops it as Kubernetes would; the code it ends with. */
  int stop() {
    long grace = workload.pod().path("terminationGracePeriodSeconds").asLong(30);
    Docker.run("stop", "--time", "" + grace, name);
    return Integer.parseInt(Docker.inspect(name, "{{.State.ExitCode}}"));
  }

  String logs() {
    Command.Result result = Docker.command("logs", "--tail", "60", name).tryToRun();
    return result.output() + result.errors();
  }

  @Override
  public void close() {
    Docker.run("rm", "--force", "--volumes", name);
  }

  private boolean inside(List<String> command) {
    return Docker.command(
            Stream.concat(Stream.of("exec", name), command.stream()).toArray(String[]::new))
        .tryToRun()
        .succeeded();
  }

  private Stream<String> names(String... aliases) {
    return Stream.concat(
        Stream.of(aliases),
        workload.manifests().ofKind("Service").stream()
            .filter(service -> workload.hasLabels(service.at("/spec/selector")))
            .map(Manifests::nameOf));
  }

  private List<String> rights() {
    JsonNode pod = workload.pod().required("securityContext");
    JsonNode container = workload.container().required("securityContext");
    List<String> options = new ArrayList<>();
    options.add(
        "--user=%d:%d"
            .formatted(pod.required("runAsUser").asInt(), pod.required("runAsGroup").asInt()));
    if (pod.has("fsGroup")) {
      options.add("--group-add=" + pod.get("fsGroup").asInt());
    }
    if (container.required("readOnlyRootFilesystem").asBoolean()) {
      options.add("--read-only");
    }
    if (!container.required("allowPrivilegeEscalation").asBoolean()) {
      options.add("--security-opt=no-new-privileges:true");
    }
    texts(container.at("/capabilities/drop"))
        .forEach(capability -> options.add("--cap-drop=" + capability));
    return options;
  }

  private List<String> resources() {
    JsonNode resources = workload.container().required("resources");
    String memory = resources.at("/limits/memory").asString();
    List<String> options = new ArrayList<>();
    options.add("--memory=" + memory.replace("i", "").toLowerCase(Locale.ROOT));
    String cpu = resources.at("/requests/cpu").asString();
    options.add("--cpu-shares=" + Integer.parseInt(cpu.replace("m", "")) * 1024 / 1000);
    return options;
  }

  private List<String> volumes(Path folder) {
    List<String> options = new ArrayList<>();
    for (JsonNode mount : workload.container().path("volumeMounts")) {
      String path = mount.required("mountPath").asString();
      JsonNode volume = volume(mount.required("name").asString());
      if (volume.isMissingNode()) { // of a claim: a volume of the engine's own
        options.add("--volume=" + path);
      } else if (volume.has("emptyDir")) {
        String size = volume.at("/emptyDir/sizeLimit").asString("");
        options.add(
            "--tmpfs=%s:mode=1777,exec%s"
                .formatted(path, size.isEmpty() ? "" : ",size=" + size.replace("i", "")));
      } else {
        options.add("--volume=%s:%s:ro".formatted(files(mount, volume, folder), path));
      }
    }
    return options;
  }

  private JsonNode volume(String volumeName) {
    return workload
        .pod()
        .path("volumes")
        .valueStream()
        .filter(volume -> volume.required("name").asString().equals(volumeName))
        .findFirst()
        .orElse(workload.object().path("not there"));
  }

  private Path files(JsonNode mount, JsonNode volume, Path folder) {
    try {
      Path directory = Files.createTempDirectory(folder, "volume");
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      for (Map.Entry<String, String> file : workload.files(volume).entrySet()) {
        Path written = Files.writeString(directory.resolve(file.getKey()), file.getValue());
        Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
      }
      return mount.has("subPath") ? directory.resolve(mount.get("subPath").asString()) : directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> command() {
    List<String> command = texts(workload.container().path("command"));
    List<String> line = new ArrayList<>();
    if (!command.isEmpty()) {
      line.add("--entrypoint=" + command.getFirst());
    }
    line.add(workload.image());
    line.addAll(command.stream().skip(1).toList());
    line.addAll(texts(workload.container().path("args")));
    return line;
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asString).toList();
  }
}
