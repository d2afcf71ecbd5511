package id.kabar.localstack.site;

import id.kabar.localstack.history.Sources;
import id.kabar.localstack.servers.ServerFailed;
import java.net.URI;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The containers of compose.yaml, at the loopback ports it publishes. */
final class ComposeSite implements Site {

  private static final String SUPERUSER = "postgres";

  private final JsonNode services;

  ComposeSite(Tool docker) {
    // As compose itself understands it, with .env and the environment filled in.
    String config = docker.run("compose", "config", "--format", "json");
    this.services = JsonMapper.shared().readTree(config).required("services");
  }

  static boolean runs(Tool docker) {
    return docker.prints("compose", "ps", "--quiet", "--status", "running");
  }

  @Override
  public Target target() {
    return Target.COMPOSE;
  }

  @Override
  public URI orders() {
    return URI.create("http://" + address("order-service", 8080));
  }

  @Override
  public URI emailStub() {
    return URI.create("http://" + address("email-stub", 8089));
  }

  @Override
  public URI notifications() {
    return URI.create("http://" + address("notification-service", 9082));
  }

  @Override
  public URI relay() {
    return URI.create("http://" + address("outbox-relay", 9081));
  }

  @Override
  public String operatorPassword() {
    return environment("notification-service", "OPERATOR_PASSWORD");
  }

  @Override
  public Sources sources() {
    return new Sources(
        "jdbc:postgresql://%s/orders".formatted(address("orders-db", 5432)),
        "jdbc:postgresql://%s/notifications".formatted(address("notifications-db", 5432)),
        SUPERUSER,
        environment("orders-db", "POSTGRES_PASSWORD"),
        address("kafka", 29092),
        emailStub().toString());
  }

  private String address(String service, int port) {
    return services
        .required(service)
        .path("ports")
        .valueStream()
        .filter(each -> each.path("target").asInt() == port)
        .map(each -> "localhost:" + each.required("published").asString())
        .findFirst()
        .orElseThrow(
            () ->
                new ServerFailed(
                    "compose.yaml publishes no port %d of %s.".formatted(port, service)));
  }

  private String environment(String service, String variable) {
    return services.required(service).required("environment").required(variable).asString();
  }
}
