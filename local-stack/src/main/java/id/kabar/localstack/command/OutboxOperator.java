package id.kabar.localstack.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.site.Site;
import java.net.URLEncoder;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The operator in front of a relay. */
final class OutboxOperator {

  private static final String OUTBOX = "/outbox";

  private final ManagementPort relay;

  OutboxOperator(Site site) {
    this.relay = new ManagementPort(site.relay(), site.operatorPassword());
  }

  JsonNode get(String path, Map<String, Object> query) {
    String encoded =
        query.entrySet().stream()
            .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue().toString(), UTF_8))
            .collect(Collectors.joining("&", "?", ""));
    return relay.get(OUTBOX + path + encoded);
  }

  JsonNode post(String path, Map<String, Object> order) {
    return relay.post(OUTBOX + path, order);
  }
}
