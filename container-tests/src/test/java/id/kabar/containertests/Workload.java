package id.kabar.containertests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A Deployment or StatefulSet of one container, and what it takes from ConfigMaps and Secrets. */
record Workload(Manifests manifests, JsonNode object) {

  String name() {
    return Manifests.nameOf(object);
  }

  JsonNode pod() {
    return object.at("/spec/template/spec");
  }

  JsonNode container() {
    JsonNode containers = pod().path("containers");
    if (containers.size() != 1) {
      throw new AssertionError("%s has %d containers".formatted(name(), containers.size()));
    }
    return containers.get(0);
  }

  String image() {
    return container().path("image").asString();
  }

  Map<String, String> labels() {
    return texts(object.at("/spec/template/metadata/labels"));
  }

  /**
   * Whether a selector with labels, expressions or both means these pods; an empty one means all.
   */
  boolean matches(JsonNode selector) {
    return hasLabels(selector.path("matchLabels"))
        && selector.path("matchExpressions").valueStream().allMatch(this::satisfies);
  }

  boolean hasLabels(JsonNode labels) {
    return labels().entrySet().containsAll(texts(labels).entrySet());
  }

  private boolean satisfies(JsonNode expression) {
    if (!expression.path("operator").asString().equals("In")) {
      throw new AssertionError("an operator this test does not know: " + expression);
    }
    String label = labels().get(expression.path("key").asString());
    return expression.path("values").valueStream().anyMatch(it -> it.asString().equals(label));
  }

  /** A port of the container by its name or number. */
  int port(JsonNode nameOrNumber) {
    if (nameOrNumber.isNumber()) {
      return nameOrNumber.asInt();
    }
    return container()
        .path("ports")
        .valueStream()
        .filter(port -> port.path("name").asString().equals(nameOrNumber.asString()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("%s has no port %s".formatted(name(), nameOrNumber)))
        .path("containerPort")
        .asInt();
  }

  List<Integer> ports() {
    return container()
        .path("ports")
        .valueStream()
        .map(port -> port.path("containerPort").asInt())
        .toList();
  }

  /** Every environment variable with its value, wherever that comes from. */
  Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    for (JsonNode source : container().path("envFrom")) {
      environment.putAll(
          texts(data("ConfigMap", source.required("configMapRef").required("name").asString())));
    }
    for (JsonNode variable : container().path("env")) {
      environment.put(variable.required("name").asString(), value(variable));
    }
    return environment;
  }

  private String value(JsonNode variable) {
    if (variable.has("value")) {
      return variable.get("value").asString();
    }
    JsonNode reference = variable.at("/valueFrom/secretKeyRef");
    return secret(reference.required("name").asString(), reference.required("key").asString());
  }

  /** The files that a volume brings, by their names. */
  Map<String, String> files(JsonNode volume) {
    if (volume.has("configMap")) {
      return texts(data("ConfigMap", volume.get("configMap").required("name").asString()));
    }
    String secret = volume.required("secret").required("secretName").asString();
    Map<String, String> files = new LinkedHashMap<>();
    keysOfSecret(secret).forEach(key -> files.put(key, secret(secret, key)));
    return files;
  }

  private List<String> keysOfSecret(String name) {
    JsonNode secret = manifests.get("Secret", name);
    return Stream.of("data", "stringData")
        .flatMap(field -> secret.path(field).propertyStream())
        .map(Map.Entry::getKey)
        .toList();
  }

  private String secret(String name, String key) {
    JsonNode secret = manifests.get("Secret", name);
    if (secret.path("stringData").has(key)) {
      return secret.get("stringData").get(key).asString();
    }
    if (!secret.path("data").has(key)) {
      throw new AssertionError("Secret %s has no key %s".formatted(name, key));
    }
    return new String(Base64.getDecoder().decode(secret.get("data").get(key).asString()), UTF_8);
  }

  private JsonNode data(String kind, String name) {
    return manifests.get(kind, name).required("data");
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.propertyStream().forEach(each -> texts.put(each.getKey(), each.getValue().asString()));
    return texts;
  }
}
