package id.kabar.localstack.site;

import id.kabar.localstack.history.Sources;
import java.net.URI;
import java.util.ArrayDeque;
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
  public String operatorPassword() {
    return environment("deployment/notification-service", "OPERATOR_PASSWORD");
  }

  @Override
  public Sources sources() {
    return new Sources(
        "jdbc:postgresql://localhost:%d/orders"
            .formatted(forward("statefulset/orders-db", ":5432")),
        "jdbc:postgresql://localhost:%d/notifications"
            .formatted(forward("statefulset/notifications-db", ":5432")),
        SUPERUSER,
        environment("statefulset/orders-db", "POSTGRES_PASSWORD"),
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

  private String environment(String workload, String variable) {
    return kubectl.run("exec", workload, "--", "printenv", variable);
  }
}
