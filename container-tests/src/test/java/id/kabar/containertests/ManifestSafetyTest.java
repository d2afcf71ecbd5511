package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Pods ask for no more than the profile {@code restricted} of Kubernetes' Pod Security Standards
 * lets them have, say what they need, and are replaced without a gap.
 */
class ManifestSafetyTest {

  private static final Set<String> VOLUMES =
      Set.of("configMap", "emptyDir", "persistentVolumeClaim", "projected", "secret");

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void theNamespaceRefusesWhatIsNotRestricted(String overlay) {
    Manifests manifests = Manifests.rendered(overlay);
    JsonNode namespace = manifests.get("Namespace", "kabar");
    assertThat(
            namespace.at("/metadata/labels").path("pod-security.kubernetes.io/enforce").asString())
        .isEqualTo("restricted");
    assertThat(manifests.objects())
        .filteredOn(object -> !object.path("kind").asString().equals("Namespace"))
        .allMatch(object -> object.at("/metadata/namespace").asString().equals("kabar"));
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void everyPodIsRestricted(String overlay) {
    for (Workload workload : Manifests.rendered(overlay).workloads()) {
      JsonNode pod = workload.pod();
      JsonNode rights = workload.container().required("securityContext");
      assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
      assertThat(pod.at("/securityContext/runAsUser").asInt()).isPositive();
      assertThat(pod.at("/securityContext/seccompProfile/type").asString())
          .isEqualTo("RuntimeDefault");
      assertThat(pod.propertyNames()).doesNotContain("hostNetwork", "hostPID", "hostIPC");
      assertThat(rights.required("allowPrivilegeEscalation").asBoolean()).isFalse();
      assertThat(rights.at("/capabilities/drop").valueStream().map(JsonNode::asString))
          .containsExactly("ALL");
      assertThat(rights.propertyNames()).doesNotContain("privileged", "runAsUser", "procMount");
      for (JsonNode volume : pod.path("volumes")) {
        Set<String> kinds =
            volume.propertyNames().stream()
                .filter(field -> !field.equals("name"))
                .collect(Collectors.toSet());
        assertThat(VOLUMES).as(workload.name()).containsAll(kinds);
      }
      for (JsonNode port : workload.container().path("ports")) {
        assertThat(port.has("hostPort")).as(workload.name()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void ourOwnPodsCannotWriteOrCallTheCluster(String overlay) {
    for (Workload workload : Manifests.rendered(overlay).workloads()) {
      assertThat(workload.pod().required("automountServiceAccountToken").asBoolean())
          .as(workload.name())
          .isFalse();
      if (workload.image().startsWith("kabar/")) {
        assertThat(workload.container().at("/securityContext/readOnlyRootFilesystem").asBoolean())
            .as(workload.name())
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void everyPodSaysWhatItNeedsAndHowItIs(String overlay) {
    for (Workload workload : Manifests.rendered(overlay).workloads()) {
      JsonNode container = workload.container();
      assertThat(container.at("/resources/requests").propertyNames())
          .containsExactlyInAnyOrder("cpu", "memory");
      assertThat(container.at("/resources/limits/memory"))
          .as("%s is never squeezed out of memory it was promised", workload.name())
          .isEqualTo(container.at("/resources/requests/memory"));
      assertThat(container.propertyNames())
          .contains("startupProbe", "livenessProbe", "readinessProbe");
      assertThat(workload.image()).matches("[\\w./-]+:\\d[\\w.-]+");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service"})
  void aRolloutLeavesNoGapAndANodeTakesNotAll(String name) {
    JsonNode deployment = Manifests.rendered(Manifests.PRODUCTION).workload(name).object();
    assertThat(deployment.at("/spec/strategy/rollingUpdate/maxUnavailable").asInt()).isZero();
    List<String> spread =
        deployment
            .at("/spec/template/spec/topologySpreadConstraints")
            .valueStream()
            .map(constraint -> constraint.required("topologyKey").asString())
            .toList();
    assertThat(spread).contains("kubernetes.io/hostname", "topology.kubernetes.io/zone");
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void whateverNoPolicyOpensIsClosed(String overlay) {
    JsonNode policy = Manifests.rendered(overlay).get("NetworkPolicy", "default-deny");
    assertThat(policy.at("/spec/podSelector").isEmpty()).isTrue();
    assertThat(policy.at("/spec/policyTypes").valueStream().map(JsonNode::asString))
        .containsExactlyInAnyOrder("Ingress", "Egress");
    assertThat(policy.path("spec").propertyNames()).doesNotContain("ingress", "egress");
  }
}
