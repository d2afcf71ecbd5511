package id.kabar.containertests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The settings that a service really has: its application.yaml and what Spring Boot describes. */
final class Settings {

  private static final String METADATA = "META-INF/spring-configuration-metadata.json";
  private static final List<JsonNode> BOOT = describedBySpringBoot();

  private final Map<String, String> defaults = new LinkedHashMap<>();
  private final String service;

  private Settings(String service) {
    this.service = service;
    String file = service + "/src/main/resources/application.yaml";
    Manifests.documents(Checkout.read(file)).forEach(document -> collect("", document));
  }

  static Settings of(String service) {
    return new Settings(service);
  }

  String get(String property) {
    String value = defaults.get(property);
    if (value == null) {
      throw new AssertionError("application.yaml says nothing about " + property);
    }
    return value;
  }

  int getInt(String property) {
    return Integer.parseInt(get(property));
  }

  /** A length such as 10s or 5m. */
  Duration getDuration(String property) {
    return Duration.parse("PT" + get(property).toUpperCase(Locale.ROOT));
  }

  /** Where operators and probes find this service. */
  int managementPort() {
    return getInt(
        defaults.containsKey("management.server.port") ? "management.server.port" : "server.port");
  }

  /** Whether an environment variable means a setting of this service. */
  boolean knows(String variable) {
    return defaults.keySet().stream().anyMatch(property -> means(variable, property))
        || Stream.concat(describedByItself().stream(), BOOT.stream())
            .anyMatch(property -> describes(property, variable));
  }

  private static boolean describes(JsonNode property, String variable) {
    String name = property.required("name").asString();
    return means(variable, name)
        || (property.path("type").asString().startsWith("java.util.Map")
            && variable.startsWith(upperCase(name) + "_"));
  }

  /** Spring Boot wants the dashes left out, and takes underscores for them as well. */
  private static boolean means(String variable, String property) {
    return variable.equals(upperCase(property.replace("-", "")))
        || variable.equals(upperCase(property.replace("-", "_")));
  }

  private static String upperCase(String property) {
    return property.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private void collect(String name, JsonNode value) {
    if (value.isObject()) {
      value
          .propertyStream()
          .forEach(
              each ->
                  collect(
                      name.isEmpty() ? each.getKey() : name + "." + each.getKey(),
                      each.getValue()));
    } else {
      defaults.put(name, value.asString());
    }
  }

  private static List<JsonNode> describedBySpringBoot() {
    try {
      return Collections.list(Settings.class.getClassLoader().getResources(METADATA)).stream()
          .flatMap(Settings::properties)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of the service as it was compiled last. */
  private List<JsonNode> describedByItself() {
    Path file = Checkout.ROOT.resolve(service).resolve("target/classes").resolve(METADATA);
    if (!Files.exists(file)) {
      throw new AssertionError(
          "%s is missing: compile the services first, ./mvnw compile".formatted(file));
    }
    try {
      return properties(file.toUri().toURL()).toList();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<JsonNode> properties(URL metadata) {
    try (InputStream stream = metadata.openStream()) {
      return JsonMapper.shared().readTree(stream).required("properties").valueStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
