package id.kabar.containertests;

import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** What Kubernetes knows of its objects, as strict as its API server: no field it does not know. */
final class KubernetesModels {

  private static final Map<String, String> PACKAGES =
      Map.of(
          "v1", "io.fabric8.kubernetes.api.model.",
          "apps/v1", "io.fabric8.kubernetes.api.model.apps.",
          "autoscaling/v2", "io.fabric8.kubernetes.api.model.autoscaling.v2.",
          "networking.k8s.io/v1", "io.fabric8.kubernetes.api.model.networking.v1.",
          "policy/v1", "io.fabric8.kubernetes.api.model.policy.v1.",
          "keda.sh/v1alpha1", "id.kabar.containertests.Keda$");

  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .annotationIntrospector(new WithoutCatchAll())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .withCoercionConfig(LogicalType.Textual, KubernetesModels::refuseOtherThanText)
          .withCoercionConfig(
              LogicalType.Integer,
              config -> config.setCoercion(CoercionInputShape.String, CoercionAction.Fail))
          .withCoercionConfig(
              LogicalType.Boolean,
              config -> config.setCoercion(CoercionInputShape.String, CoercionAction.Fail))
          .build();

  private KubernetesModels() {}

  /** Fails with the reason if there is no such kind of object or it has no such field. */
  static void validate(JsonNode object) {
    String version = object.path("apiVersion").asString();
    String kind = object.path("kind").asString();
    String about = "%s %s".formatted(kind, Manifests.nameOf(object));
    try {
      STRICT.treeToValue(object, Class.forName(PACKAGES.get(version) + kind));
    } catch (ClassNotFoundException e) {
      throw new AssertionError("%s: %s knows no %s".formatted(about, version, kind), e);
    } catch (JacksonException e) {
      throw new AssertionError("%s: %s".formatted(about, e.getOriginalMessage()), e);
    }
  }

  private static void refuseOtherThanText(tools.jackson.databind.cfg.MutableCoercionConfig config) {
    config
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
  }

  /** The models would keep every unknown field in a map. */
  private static class WithoutCatchAll extends JacksonAnnotationIntrospector {

    @Override
    public Boolean hasAnySetter(MapperConfig<?> config, Annotated annotated) {
      return false;
    }
  }
}
