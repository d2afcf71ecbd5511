package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Kabar.ORDER_SERVICE;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.localstack.servers.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replicas that start together do not fight over an empty database. */
@ExtendWith(RunningKabar.class)
class FirstStartIT {

  private static final int REPLICAS = 5;

  /** How often it is tried; a longer proof takes 10. */
  private static final int ROUNDS = Integer.getInteger("kabar.first-starts", 1);

  private static final String ORDERS = "first_orders";
  private static final String NOTIFICATIONS = "first_notifications";

  @Test
  void fiveReplicasOfEachServiceStartAtOnceOnEmptyDatabases(Kabar kabar) {
    for (int round = 0; round < ROUNDS; round++) {
      kabar.databases().create(ORDERS, "order_service");
      kabar.databases().create(NOTIFICATIONS, "notification_service");
      List<Replica> replicas = replicas(kabar);
      try {
        replicas.forEach(ServerProcess::launch);
        replicas.forEach(ServerProcess::awaitReady);

        assertThat(replicas).allMatch(ServerProcess::isAlive);
        assertThat(kabar.databases().migrationsOf(ORDERS)).isNotEmpty().doesNotHaveDuplicates();
        assertThat(kabar.databases().migrationsOf(NOTIFICATIONS))
            .isNotEmpty()
            .doesNotHaveDuplicates();
      } finally {
        replicas.parallelStream().forEach(ServerProcess::kill);
        kabar.databases().drop(ORDERS);
        kabar.databases().drop(NOTIFICATIONS);
      }
    }
  }

  private static List<Replica> replicas(Kabar kabar) {
    List<Replica> replicas = new ArrayList<>();
    for (int number = 1; number <= REPLICAS; number++) {
      replicas.add(
          Replica.of(
              ORDER_SERVICE,
              "MANAGEMENT_SERVER_PORT",
              Map.of(
                  "SERVER_PORT", "0", "SPRING_DATASOURCE_URL", kabar.databases().sibling(ORDERS)),
              log(kabar, ORDER_SERVICE, number)));
      replicas.add(
          Replica.of(
              NOTIFICATION,
              "SERVER_PORT",
              Map.of(
                  "SPRING_DATASOURCE_URL",
                  kabar.databases().sibling(NOTIFICATIONS),
                  "SPRING_KAFKA_BOOTSTRAP_SERVERS",
                  kabar.stack().bootstrapServers(),
                  // Topics of their own: the stack's events are not theirs.
                  "NOTIFICATION_TOPICS_ORDERPAID",
                  "first.order.paid",
                  "NOTIFICATION_TOPICS_DEADLETTERS",
                  "first.order.paid.DLT",
                  "NOTIFICATION_LISTENER_GROUP",
                  "first",
                  "NOTIFICATION_DEADLETTERS_GROUP",
                  "first-dead-letters"),
              log(kabar, NOTIFICATION, number)));
    }
    return replicas;
  }

  private static Path log(Kabar kabar, String service, int number) {
    return kabar
        .stack()
        .home()
        .resolve("logs")
        .resolve("first-%s-%d.log".formatted(service, number));
  }
}
