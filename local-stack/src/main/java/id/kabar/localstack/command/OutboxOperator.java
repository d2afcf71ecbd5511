package id.kabar.localstack.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.site.Site;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The operator in front of a relay. */
final class OutboxOperator {

  private final Http http = new Http();
  private final String outbox;
  private final Map<String, String> headers;

  OutboxOperator(Site site) {
    this.outbox = site.relay() + "/outbox";
    this.headers =
        Map.of(
            "Authorization",
            "Basic "
                + Base64.getEncoder()
                    .encodeToString(("operator:" + site.operatorPassword()).getBytes(UTF_8)));
  }

  JsonNode get(String path, Map<String, Object> query) {
    String encoded =
        query.entrySet().stream()
            .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue().toString(), UTF_8))
            .collect(Collectors.joining("&", "?", ""));
    return http.send("GET", URI.create(outbox + path + encoded), null, headers);
  }

  JsonNode post(String path, Map<String, Object> order) {
    return http.send("POST", URI.create(outbox + path), order, headers);
  }
}
