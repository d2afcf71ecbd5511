package id.kabar.notification;

import static org.awaitility.Awaitility.await;

import id.kabar.notification.email.FakeProvider;
import id.kabar.testservers.Database;
import id.kabar.testservers.TestKafka;
import id.kabar.testservers.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Several instances on one database with topics of their own, started and stopped by the test. */
abstract class SeveralInstances {

  static final FakeProvider PROVIDER = new FakeProvider();

  private static int runs;

  final String topic = "instances-" + ++runs;
  final List<ConfigurableApplicationContext> instances = new ArrayList<>();

  private final Database database =
      TestPostgres.shared().freshDatabase("notifications", "notification_service");
  final JdbcClient jdbc =
      JdbcClient.create(
          new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));

  @BeforeEach
  void freshProvider() {
    PROVIDER.reset();
  }

  @AfterEach
  void stopInstances() {
    instances.forEach(ConfigurableApplicationContext::close);
  }

  /** Starts an instance; each setting is {@code name=value}, and the last of a name counts. */
  ConfigurableApplicationContext start(String... settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("server.port", "0");
    all.put("spring.datasource.url", database.jdbcUrl());
    all.put("spring.kafka.bootstrap-servers", TestKafka.shared().bootstrapServers());
    all.put("notification.topics.order-paid", topic);
    all.put("notification.topics.dead-letters", topic + ".DLT");
    all.put("notification.listener.group", "group-" + topic);
    all.put("notification.dead-letters.group", "dead-letters-" + topic);
    all.put("notification.listener.backoff", "100ms");
    all.put("email.url", PROVIDER.url());
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      all.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    var instance =
        new SpringApplicationBuilder(NotificationServiceApplication.class)
            .run(
                all.entrySet().stream()
                    .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                    .toArray(String[]::new));
    instances.add(instance);
    return instance;
  }

  static int portOf(ConfigurableApplicationContext instance) {
    return ((WebServerApplicationContext) instance).getWebServer().getPort();
  }

  static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
  }
}
