package id.kabar.containertests;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Who reaches whom by the NetworkPolicies: a pod that one of them selects reaches only what one
 * allows.
 */
record NetworkPolicies(Manifests manifests) {

  boolean allow(Workload from, Workload to, int port) {
    return allowed(from, "Egress", "egress", rule -> hasPort(rule, port) && hasPeer(rule, "to", to))
        && allowed(
            to, "Ingress", "ingress", rule -> hasPort(rule, port) && hasPeer(rule, "from", from));
  }

  /** The ports of addresses outside the cluster that these pods may connect to. */
  Set<Integer> portsLeadingOut(Workload from) {
    Set<Integer> ports = new HashSet<>();
    rules(from, "Egress", "egress")
        .filter(rule -> rule.path("to").valueStream().anyMatch(peer -> peer.has("ipBlock")))
        .flatMap(rule -> rule.path("ports").valueStream())
        .forEach(port -> ports.add(port.required("port").asInt()));
    return ports;
  }

  private boolean allowed(
      Workload workload, String type, String direction, Predicate<JsonNode> rule) {
    boolean restricted =
        selecting(workload).stream()
            .anyMatch(
                policy ->
                    policy
                        .at("/spec/policyTypes")
                        .valueStream()
                        .anyMatch(it -> it.asString().equals(type)));
    return !restricted || rules(workload, type, direction).anyMatch(rule);
  }

  private Stream<JsonNode> rules(Workload workload, String type, String direction) {
    return selecting(workload).stream()
        .filter(
            policy ->
                policy
                    .at("/spec/policyTypes")
                    .valueStream()
                    .anyMatch(it -> it.asString().equals(type)))
        .flatMap(policy -> policy.path("spec").path(direction).valueStream());
  }

  private List<JsonNode> selecting(Workload workload) {
    return manifests.ofKind("NetworkPolicy").stream()
        .filter(policy -> workload.matches(policy.at("/spec/podSelector")))
        .toList();
  }

  private static boolean hasPort(JsonNode rule, int port) {
    return !rule.has("ports")
        || rule.get("ports")
            .valueStream()
            .anyMatch(it -> it.required("port").isNumber() && it.get("port").asInt() == port);
  }

  /** A rule without peers means everybody; one that names a namespace means none of ours. */
  private static boolean hasPeer(JsonNode rule, String side, Workload workload) {
    return !rule.has(side)
        || rule.get(side)
            .valueStream()
            .anyMatch(
                peer ->
                    peer.has("podSelector")
                        && !peer.has("namespaceSelector")
                        && workload.matches(peer.get("podSelector")));
  }
}
