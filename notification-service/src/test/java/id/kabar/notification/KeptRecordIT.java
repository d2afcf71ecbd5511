package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.testservers.TestKafka;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The dead-letter topic refuses: nothing is skipped, nothing spins, nothing comes twice. */
@DirtiesContext
@TestPropertySource(properties = "notification.listener.concurrency=1")
class KeptRecordIT extends RunningService {

  @Autowired MeterRegistry meters;

  @AfterEach
  void repair() throws Exception {
    limitDeadLetters("2097152");
  }

  @Test
  void aRecordIsKeptUntilItsDeadLetterIsPublishedOnce() throws Exception {
    limitDeadLetters("100");
    PROVIDER.answers(422);
    UUID event = UUID.randomUUID();
    UUID behind = UUID.randomUUID();
    String json = OrderPaidRecords.json(event, UUID.randomUUID());
    records().value(0, "key", json, "id.kabar.OrderPaid.v1");
    PROVIDER.answersFor(behind, 202);
    records()
        .value(0, "key", OrderPaidRecords.json(behind, UUID.randomUUID()), "id.kabar.OrderPaid.v1");

    eventually().until(() -> unpublished() >= 3);
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
    assertThat(PROVIDER.callsFor(behind)).isZero();
    assertThat(letterOf(event)).isEqualTo("NONE");

    limitDeadLetters("2097152");

    awaitLetter(event, "OPEN REJECTED");
    eventually().until(() -> PROVIDER.callsFor(behind) > 0);
    assertThat(OrderPaidRecords.to(topics.deadLetters()).all())
        .filteredOn(record -> new String(record.value(), UTF_8).contains(event.toString()))
        .hasSize(1);
  }

  private double unpublished() {
    return meters.counter("notification.dead_letter.unpublished").count();
  }

  private void limitDeadLetters(String bytes) throws ExecutionException, InterruptedException {
    var topic = new ConfigResource(ConfigResource.Type.TOPIC, topics.deadLetters());
    var limit =
        new AlterConfigOp(new ConfigEntry("max.message.bytes", bytes), AlterConfigOp.OpType.SET);
    try (Admin admin =
        Admin.create(
            Map.<String, Object>of("bootstrap.servers", TestKafka.shared().bootstrapServers()))) {
      admin.incrementalAlterConfigs(Map.of(topic, List.of(limit))).all().get();
    }
  }
}
