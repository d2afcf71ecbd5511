package id.kabar.localstack.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.history.Sources;
import id.kabar.localstack.servers.ServerFailed;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;

/**
 * The cluster of k8s/kind. Two ports of its node are this machine's (cluster.yaml); whatever else
 * is asked for is forwarded by kubectl until the site is closed.
 */
final class KindSite implements Site {

  private static final String SUPERUSER = "postgres";

  /** Where this broker says it is reached from outside, so that it must be forwarded from here. */
  private static final int KAFKA = 29092;

  private final Tool kubectl;
  private final Deque<Forward> forwards = new ArrayDeque<>();

  KindSite(Tool kubectl) {
    this.kubectl = kubectl.with("--context", "kind-kabar", "--namespace", "kabar");
  }

  static boolean runs(Tool kubectl) {
    return kubectl.prints(
        "--context=kind-kabar",
        "--namespace=kabar",
        "--request-timeout=5s",
        "get",
        "deployment/notification-service",
        "--output=name");
  }

  @Override
  public Target target() {
    return Target.KIND;
  }

  @Override
  public URI orders() {
    return URI.create("http://localhost:8080");
  }

  @Override
  public URI emailStub() {
    return URI.create("http://localhost:8089");
  }

  @Override
  public URI notifications() {
    return URI.create("http://localhost:" + forward("deployment/notification-service", ":9082"));
  }

  @Override
  public URI relay() {
    return URI.create("http://localhost:" + forward("deployment/outbox-relay", ":9081"));
  }

  @Override
  public String operatorPassword() {
    return secret("deployment/notification-service", "OPERATOR_PASSWORD");
  }

  @Override
  public Sources sources() {
    return new Sources(
        "jdbc:postgresql://localhost:%d/orders"
            .formatted(forward("statefulset/orders-db", ":5432")),
        "jdbc:postgresql://localhost:%d/notifications"
            .formatted(forward("statefulset/notifications-db", ":5432")),
        SUPERUSER,
        secret("statefulset/orders-db", "POSTGRES_PASSWORD"),
        "localhost:" + forward("statefulset/kafka", KAFKA + ":" + KAFKA),
        emailStub().toString());
  }

  @Override
  public void close() {
    forwards.forEach(Forward::close);
  }

  private int forward(String workload, String ports) {
    Forward forward = Forward.open(kubectl, workload, ports);
    forwards.push(forward);
    return forward.port();
  }

  /** The value of a variable that comes from a Secret; in our own images nobody can be asked. */
  private String secret(String workload, String variable) {
    String reference =
        kubectl.run(
            "get",
            workload,
            "--output=jsonpath={..env[?(@.name==\"%s\")].valueFrom.secretKeyRef['name','key']}"
                .formatted(variable));
    String[] nameAndKey = reference.split(" ", 2);
    if (nameAndKey.length < 2) {
      throw new ServerFailed("%s takes no %s from a Secret".formatted(workload, variable));
    }
    String value =
        kubectl.run(
            "get",
            "secret/" + nameAndKey[0],
            "--output=jsonpath={.data['%s']}".formatted(nameAndKey[1]));
    return new String(Base64.getDecoder().decode(value), UTF_8);
  }
}
