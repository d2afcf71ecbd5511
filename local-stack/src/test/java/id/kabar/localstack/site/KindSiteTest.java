package id.kabar.localstack.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KindSiteTest {

  /** Forwards as kubectl does: it says so, and then lasts until it is ended. */
  private static final String KUBECTL =
      """
      case "$*" in
        *port-forward*:29092) echo 'Forwarding from 127.0.0.1:29092 -> 29092' ;;
        *port-forward*) echo 'Forwarding from 127.0.0.1:41234 -> 5432' ;;
        *OPERATOR_PASSWORD*secretKeyRef*) echo 'operator-m6k95c58h7 password'; exit ;;
        *secretKeyRef*) echo 'postgres-7b2f secret'; exit ;;
        *secret/operator-m6k95c58h7*password*) printf operator-of-kind | base64; exit ;;
        *secret/postgres-7b2f*secret*) printf superuser-of-kind | base64; exit ;;
        *'get deployment/notification-service'*) echo deployment.apps/notification-service; exit ;;
      esac
      echo $$ >>forwards
      exec sleep 600
      """;

  @TempDir private Path folder;
  private FakeTool fake;

  @BeforeEach
  void pretend() {
    fake = new FakeTool(folder);
  }

  @Test
  void databasesAndBrokerAreForwardedUntilTheSiteIsClosed() throws IOException {
    Site site = new KindSite(fake.answering(KUBECTL));

    var sources = site.sources();
    assertThat(sources.orders()).isEqualTo("jdbc:postgresql://localhost:41234/orders");
    assertThat(sources.kafka()).isEqualTo("localhost:29092");
    assertThat(fake.heard())
        .contains(
            "--context kind-kabar --namespace kabar port-forward --address=127.0.0.1"
                + " statefulset/orders-db :5432");
    await().until(() -> forwards().count() == 3);
    assertThat(forwards()).allMatch(ProcessHandle::isAlive);

    site.close();
    await().untilAsserted(() -> assertThat(forwards()).noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void passwordsComeFromTheSecretsThatTheWorkloadsName() throws IOException {
    try (Site site = new KindSite(fake.answering(KUBECTL))) {
      assertThat(site.operatorPassword()).isEqualTo("operator-of-kind");
      assertThat(site.sources().password()).isEqualTo("superuser-of-kind");
    }
  }

  @Test
  void workloadWithoutItsSecretSaysSo() throws IOException {
    Site site = new KindSite(fake.answering("exit 0"));

    assertThatThrownBy(site::operatorPassword)
        .isInstanceOf(ServerFailed.class)
        .hasMessageContaining("deployment/notification-service takes no OPERATOR_PASSWORD");
  }

  @Test
  void forwardThatFailsSaysWhatKubectlSaid() throws IOException {
    Site site = new KindSite(fake.answering("echo 'error: pods not found' >&2; exit 1"));

    assertThatThrownBy(site::notifications)
        .isInstanceOf(ServerFailed.class)
        .hasMessageContaining("error: pods not found");
  }

  @Test
  void itRunsWhereItsClusterAnswers() throws IOException {
    assertThat(KindSite.runs(fake.answering(KUBECTL))).isTrue();
    assertThat(KindSite.runs(fake.answering("exit 1"))).isFalse();
  }

  private Stream<ProcessHandle> forwards() throws IOException {
    return Files.readAllLines(folder.resolve("forwards")).stream()
        .map(Long::valueOf)
        .flatMap(pid -> ProcessHandle.of(pid).stream());
  }
}
