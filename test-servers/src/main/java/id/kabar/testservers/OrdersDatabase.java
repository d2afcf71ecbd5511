package id.kabar.testservers;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** A fresh database for each context, entered as {@code order_service}. */
@TestConfiguration(proxyBeanMethods = false)
public class OrdersDatabase {

  @Bean
  Database freshOrders() {
    return TestPostgres.shared().freshDatabase("orders", "order_service");
  }

  @Bean
  @Conditional(ContainersRun.Not.class)
  JdbcConnectionDetails freshOrdersDetails(Database freshOrders) {
    return new DatabaseDetails(freshOrders);
  }

  @Bean
  @ServiceConnection
  @Conditional(ContainersRun.class)
  PostgreSQLContainer freshOrdersContainer(Database freshOrders) {
    return new ContainerOfDatabase(freshOrders);
  }
}
