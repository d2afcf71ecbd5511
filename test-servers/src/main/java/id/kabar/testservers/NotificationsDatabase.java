package id.kabar.testservers;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** A fresh database for each context, entered as {@code notification_service}. */
@TestConfiguration(proxyBeanMethods = false)
public class NotificationsDatabase {

  @Bean
  Database freshNotifications() {
    return TestPostgres.shared().freshDatabase("notifications", "notification_service");
  }

  @Bean
  @Conditional(ContainersRun.Not.class)
  JdbcConnectionDetails freshNotificationsDetails(Database freshNotifications) {
    return new DatabaseDetails(freshNotifications);
  }

  @Bean
  @ServiceConnection
  @Conditional(ContainersRun.class)
  PostgreSQLContainer freshNotificationsContainer(Database freshNotifications) {
    return new ContainerOfDatabase(freshNotifications);
  }
}
