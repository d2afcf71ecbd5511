package id.kabar.containertests;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The fields of KEDA's objects that we use, and no others; Kubernetes has no models of them. */
final class Keda {

  private Keda() {}

  record ScaledObject(String apiVersion, String kind, JsonNode metadata, ScaledObjectSpec spec) {}

  record ScaledObjectSpec(
      Target scaleTargetRef,
      int minReplicaCount,
      int maxReplicaCount,
      int cooldownPeriod,
      List<Trigger> triggers) {}

  record Target(String name) {}

  record Trigger(String type, String metricType, Map<String, String> metadata) {}
}
