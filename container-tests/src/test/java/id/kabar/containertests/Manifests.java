package id.kabar.containertests;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The objects that an overlay brings to a cluster, as kubectl renders them. */
record Manifests(List<JsonNode> objects) {

  static final String KIND = "k8s/overlays/kind";
  static final String PRODUCTION = "k8s/overlays/production";

  private static final boolean KUBECTL = Command.works("kubectl", "version", "--client");

  /** Skips the calling test, aloud, where there is no kubectl. */
  static Manifests rendered(String folder) {
    if (!KUBECTL) {
      System.out.printf("container-tests: there is no kubectl, so %s was not read%n", folder);
    }
    Assumptions.assumeTrue(KUBECTL, "there is no kubectl");
    return of(Command.of("kubectl", "kustomize", folder).run());
  }

  static Manifests of(String yaml) {
    return new Manifests(documents(yaml).toList());
  }

  /** The documents of a YAML text, anchors resolved. */
  static Stream<JsonNode> documents(String yaml) {
    Iterable<Object> documents = new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml);
    return StreamSupport.stream(documents.spliterator(), false)
        .map(document -> JsonMapper.shared().<JsonNode>valueToTree(document));
  }

  List<JsonNode> ofKind(String kind) {
    return objects.stream().filter(object -> object.path("kind").asString().equals(kind)).toList();
  }

  Optional<JsonNode> find(String kind, String name) {
    return ofKind(kind).stream().filter(object -> nameOf(object).equals(name)).findFirst();
  }

  JsonNode get(String kind, String name) {
    return find(kind, name)
        .orElseThrow(() -> new AssertionError("there is no %s %s".formatted(kind, name)));
  }

  /** What runs pods. */
  List<Workload> workloads() {
    return Stream.of("Deployment", "StatefulSet")
        .flatMap(kind -> ofKind(kind).stream())
        .map(object -> new Workload(this, object))
        .toList();
  }

  Workload workload(String name) {
    return workloads().stream()
        .filter(workload -> workload.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing runs " + name));
  }

  static String nameOf(JsonNode object) {
    return object.at("/metadata/name").asString();
  }
}
