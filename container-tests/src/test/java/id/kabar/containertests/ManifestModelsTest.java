package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kubernetes knows every field of every object in k8s. */
class ManifestModelsTest {

  @ParameterizedTest
  @ValueSource(strings = {"k8s/base", Manifests.KIND, Manifests.PRODUCTION})
  void everyFieldIsKnown(String folder) {
    Manifests manifests = Manifests.rendered(folder);
    assertThat(manifests.objects()).isNotEmpty().allSatisfy(KubernetesModels::validate);
  }

  @Test
  void everyFieldIsKnownWithTheKedaComponent() {
    assertThat(ProductionWithKeda.rendered().objects()).allSatisfy(KubernetesModels::validate);
  }

  @Test
  void everyFieldOfTheExampleSecretsIsKnown() {
    assertThat(
            Manifests.of(Checkout.read(Manifests.PRODUCTION + "/secrets.example.yaml")).objects())
        .isNotEmpty()
        .allSatisfy(KubernetesModels::validate);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{apiVersion: v1, kind: Service, metadata: {name: x}, spec: {selectors: {a: b}}}",
        "{apiVersion: v1, kind: Service, metadata: {name: x, lables: {a: b}}}",
        "{apiVersion: v1, kind: Service, metadata: {name: x}, spec: {ports: [{port: http}]}}",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: 1}}",
        "{apiVersion: v1, kind: Servise, metadata: {name: x}}",
        "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: x}, spec: {max: 1}}",
        "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: x}, spec: {max: 1}}",
      })
  void whatIsMisspeltIsRefused(String yaml) {
    Stream.of(Manifests.of(yaml).objects().getFirst())
        .forEach(
            object ->
                assertThatThrownBy(() -> KubernetesModels.validate(object))
                    .isInstanceOf(AssertionError.class));
  }
}
