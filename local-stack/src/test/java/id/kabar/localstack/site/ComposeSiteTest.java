package id.kabar.localstack.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import id.kabar.localstack.history.Sources;
import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComposeSiteTest {

  private static final String CONFIG =
      """
      {"services": {
        "order-service": {"ports": [
          {"host_ip": "127.0.0.1", "target": 8080, "published": "18080"},
          {"host_ip": "127.0.0.1", "target": 9080, "published": "19080"}]},
        "email-stub": {"ports": [{"target": 8089, "published": "18089"}]},
        "notification-service": {
          "environment": {"OPERATOR_PASSWORD": "secret"},
          "ports": [{"target": 9082, "published": "19082"}]},
        "orders-db": {
          "environment": {"POSTGRES_PASSWORD": "master"},
          "ports": [{"target": 5432, "published": "15432"}]},
        "notifications-db": {"ports": [{"target": 5432, "published": "15433"}]},
        "kafka": {}
      }}""";

  @TempDir private Path folder;

  @Test
  void addressesAndPasswordsAreThoseThatComposeUses() throws IOException {
    Site site = new ComposeSite(docker(CONFIG.replace("\"kafka\": {}", KAFKA)));

    assertThat(site.orders()).isEqualTo(URI.create("http://localhost:18080"));
    assertThat(site.notifications()).isEqualTo(URI.create("http://localhost:19082"));
    assertThat(site.operatorPassword()).isEqualTo("secret");
    assertThat(site.sources())
        .isEqualTo(
            new Sources(
                "jdbc:postgresql://localhost:15432/orders",
                "jdbc:postgresql://localhost:15433/notifications",
                "postgres",
                "master",
                "localhost:19092",
                "http://localhost:18089"));
  }

  private static final String KAFKA =
      "\"kafka\": {\"ports\": [{\"target\": 29092, \"published\": \"19092\"}]}";

  @Test
  void portThatIsNotPublishedIsNamed() throws IOException {
    Site site = new ComposeSite(docker(CONFIG));

    assertThatThrownBy(site::sources)
        .isInstanceOf(ServerFailed.class)
        .hasMessageContaining("port 29092 of kafka");
  }

  @Test
  void itRunsWhereAContainerOfItDoes() throws IOException {
    FakeTool docker = new FakeTool(folder);

    assertThat(ComposeSite.runs(docker.answering("echo 0123456789ab"))).isTrue();
    assertThat(ComposeSite.runs(docker.answering(":"))).isFalse();
    assertThat(ComposeSite.runs(docker.answering("echo no engine >&2; exit 1"))).isFalse();
    assertThat(ComposeSite.runs(new Tool(folder, "no-such-program"))).isFalse();
  }

  private Tool docker(String config) throws IOException {
    return new FakeTool(folder).answering("cat <<'JSON'\n%s\nJSON".formatted(config));
  }
}
