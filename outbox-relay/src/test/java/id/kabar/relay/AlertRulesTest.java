package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The alert rules name what the relay measures, and the operator's page explains each of them. */
class AlertRulesTest {

  private static final Path DOCS = Path.of("../docs");
  private static final Pattern METRIC = Pattern.compile("outbox_[a-z_]+");

  private final List<Map<String, Object>> rules = rules();

  @Test
  void everyMetricThatARuleNamesExists() {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RelayMetrics metrics = new RelayMetrics(meters, Clock.systemUTC());
    metrics.claimed(1, Duration.ofMillis(1));
    List<String> exported =
        meters
            .scrape()
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.replaceAll("[ {].*", ""))
            .toList();
    assertThat(rules).hasSizeGreaterThan(8);
    assertThat(rules)
        .allSatisfy(
            rule ->
                assertThat(
                        METRIC
                            .matcher(rule.get("expr").toString())
                            .results()
                            .map(name -> name.group())
                            .toList())
                    .as(rule.get("alert").toString())
                    .isNotEmpty()
                    .isSubsetOf(exported));
  }

  @Test
  void everyRuleIsExplainedAndEveryMetricOfThePageExists() throws IOException {
    String page = Files.readString(DOCS.resolve("operations.md"));

    assertThat(rules)
        .allSatisfy(rule -> assertThat(page).contains("**" + rule.get("alert") + "**"));
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    assertThat(new RelayMetrics(meters, Clock.systemUTC())).isNotNull();
    assertThat(
            Pattern.compile("`(outbox(\\.[a-z]+)+)")
                .matcher(page.substring(page.indexOf("## What to watch")))
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toSet()))
        .hasSizeGreaterThan(12)
        .isSubsetOf(meters.getMeters().stream().map(meter -> meter.getId().getName()).toList());
  }

  @Test
  void archiveIsAlertedOnBeforeItRunsOut() {
    assertThat(rules)
        .anySatisfy(
            rule ->
                assertThat(rule.get("expr").toString())
                    .isEqualTo("max(outbox_archive_days_ahead) < 3"));
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rules() {
    try {
      Map<String, List<Map<String, Object>>> file =
          new Yaml().load(Files.readString(DOCS.resolve("outbox-alerts.yaml")));
      return (List<Map<String, Object>>) file.get("groups").getFirst().get("rules");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
