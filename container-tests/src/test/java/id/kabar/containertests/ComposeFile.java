package id.kabar.containertests;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What compose.yaml says, with the defaults of its variables. */
final class ComposeFile {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+):-([^}]*)}");

  private static final JsonNode FILE =
      Manifests.documents(Checkout.read("compose.yaml")).findFirst().orElseThrow();

  private ComposeFile() {}

  static JsonNode service(String name) {
    return FILE.required("services").required(name);
  }

  static List<String> services() {
    return FILE.required("services").propertyStream().map(Map.Entry::getKey).toList();
  }

  static String image(String service) {
    return service(service).required("image").asString();
  }

  static Map<String, String> environment(String service) {
    Map<String, String> environment = new LinkedHashMap<>();
    service(service)
        .path("environment")
        .propertyStream()
        .forEach(each -> environment.put(each.getKey(), withDefaults(each.getValue().asString())));
    return environment;
  }

  /** The variables that a person may set, with their defaults. */
  static Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    Matcher matcher = VARIABLE.matcher(Checkout.read("compose.yaml"));
    while (matcher.find()) {
      String before = variables.put(matcher.group(1), matcher.group(2));
      if (before != null && !before.equals(matcher.group(2))) {
        throw new AssertionError("compose.yaml has two defaults for " + matcher.group(1));
      }
    }
    return variables;
  }

  private static String withDefaults(String value) {
    return VARIABLE.matcher(value).replaceAll(variable -> variable.group(2));
  }
}
