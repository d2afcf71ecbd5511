package id.kabar.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;

class ConnectionDetailsIT {

  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class));

  @Test
  void aContextConnectsToAFreshDatabaseAsItsService() {
    context
        .withUserConfiguration(OrdersDatabase.class)
        .run(
            started -> {
              JdbcConnectionDetails details = started.getBean(JdbcConnectionDetails.class);
              assertThat(details.getUsername()).isEqualTo("order_service");
              assertThat(details.getJdbcUrl()).contains("/orders_");
              new Database(details.getJdbcUrl(), details.getUsername(), details.getPassword())
                  .execute("create table mine (id int)");
            });
  }

  @Test
  void theNextContextFindsTheServersStillRunning() {
    context
        .withUserConfiguration(NotificationsDatabase.class, KafkaBroker.class)
        .run(started -> {});

    context
        .withUserConfiguration(NotificationsDatabase.class, KafkaBroker.class)
        .run(
            started -> {
              assertThat(started.getBean(JdbcConnectionDetails.class).getUsername())
                  .isEqualTo("notification_service");
              assertThat(started.getBean(KafkaConnectionDetails.class).getBootstrapServers())
                  .containsExactly(TestKafka.shared().bootstrapServers());
              started.getBean(Database.class).execute("create table mine (id int)");
              assertThat(TestKafka.answers(TestKafka.shared().bootstrapServers())).isTrue();
            });
  }
}
