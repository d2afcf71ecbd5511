package id.kabar.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.lifecycle.TestcontainersLifecycleApplicationContextInitializer;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;

class ConnectionDetailsIT {

  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withInitializer(new TestcontainersLifecycleApplicationContextInitializer())
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
  void theNextContextFindsTheServersWithTheirData() throws Exception {
    context
        .withUserConfiguration(NotificationsDatabase.class, KafkaBroker.class)
        .run(started -> TestKafka.shared().createTopic("of-the-first-context", 1));

    context
        .withUserConfiguration(NotificationsDatabase.class, KafkaBroker.class)
        .run(
            started -> {
              assertThat(started.getBean(JdbcConnectionDetails.class).getUsername())
                  .isEqualTo("notification_service");
              started.getBean(Database.class).execute("create table mine (id int)");
              List<String> broker =
                  started.getBean(KafkaConnectionDetails.class).getBootstrapServers();
              assertThat(broker).containsExactly(TestKafka.shared().bootstrapServers());
              try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker))) {
                assertThat(admin.listTopics().names().get()).contains("of-the-first-context");
              }
            });
  }
}
