package id.kabar.localstack.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.util.Base64;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What an operator asks of one service, and has it do. */
final class ManagementPort {

  private final Http http = new Http();
  private final URI service;
  private final Map<String, String> headers;

  ManagementPort(URI service, String operatorPassword) {
    this.service = service;
    this.headers =
        Map.of(
            "Authorization",
            "Basic "
                + Base64.getEncoder()
                    .encodeToString(("operator:" + operatorPassword).getBytes(UTF_8)));
  }

  JsonNode get(String path) {
    return http.send("GET", URI.create(service + path), null, headers);
  }

  JsonNode post(String path, Object request) {
    return http.send("POST", URI.create(service + path), request, headers);
  }
}
