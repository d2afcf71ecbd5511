package id.kabar.orders.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import id.kabar.orders.Shop;
import id.kabar.orders.WholeService;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@WholeService
class OutboxIT {

  @Autowired Shop shop;
  @Autowired Outbox outbox;
  @Autowired SmallOutbox smallOutbox;
  @Autowired PlatformTransactionManager transactions;

  private final String parcel = UUID.randomUUID().toString();

  @Test
  void appendingWithoutATransactionIsAnError() {
    assertThatExceptionOfType(IllegalTransactionStateException.class)
        .isThrownBy(() -> outbox.append(shipped("{}")));
    assertThat(shop.eventsOf(parcel)).isZero();
  }

  @Test
  void anEventOfARolledBackTransactionNeverWas() {
    inTransaction()
        .executeWithoutResult(
            transaction -> {
              outbox.append(shipped("{}"));
              transaction.setRollbackOnly();
            });

    assertThat(shop.eventsOf(parcel)).isZero();
  }

  @Test
  void eventsOfOneAggregateKeepTheOrderOfTheirCommits() {
    for (int n = 0; n < 10; n++) {
      String payload = "{\"n\":" + n + "}";
      inTransaction().executeWithoutResult(transaction -> outbox.append(shipped(payload)));
    }

    List<String> inOrder =
        shop.sql()
            .sql("select payload from outbox_event where aggregate_id = :id order by position")
            .param("id", parcel)
            .query(String.class)
            .list();
    assertThat(inOrder)
        .containsExactly(
            "{\"n\":0}",
            "{\"n\":1}",
            "{\"n\":2}",
            "{\"n\":3}",
            "{\"n\":4}",
            "{\"n\":5}",
            "{\"n\":6}",
            "{\"n\":7}",
            "{\"n\":8}",
            "{\"n\":9}");
  }

  @Test
  void aPayloadSurvivesByteForByte() {
    String payload = "{ \"z\":1,\n\t\"a\" : \"\\u0000 \\ud83d \\\" 😀\",  \"a\":1.50e+3 }";

    inTransaction().executeWithoutResult(transaction -> outbox.append(shipped(payload)));

    String stored =
        shop.sql()
            .sql("select payload::text from outbox_event where aggregate_id = :id")
            .param("id", parcel)
            .query(String.class)
            .single();
    assertThat(stored).isEqualTo(payload);
  }

  @Test
  void whatIsTooLargeWithItsHeadersIsRefused() {
    OutboxEvent event = shipped("\"" + "é".repeat(50) + "\"");
    int bytes = 102 + "{\"about\":\"a parcel\"}".length();

    assertThatExceptionOfType(EventTooLarge.class)
        .isThrownBy(() -> append(smallOutbox.of(bytes - 1 + "B"), event));
    append(smallOutbox.of(bytes + "B"), event);
    assertThat(shop.eventsOf(parcel)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select from orders",
        "select from idempotent_answer",
        "select from flyway_schema_history",
        "update outbox_event set payload = '{}'",
        "insert into outbox_event (aggregate_type, aggregate_id, event_type, payload)"
            + " values ('a', 'a', 'a', '{}')",
        "create table x ()"
      })
  void theRelaysRoleMayNot(String statement) throws SQLException {
    try (Connection relay = shop.database().as("outbox_relay").connect();
        Statement attempt = relay.createStatement()) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> attempt.execute(statement))
          .withMessageContaining("permission denied");
    }
  }

  private void append(Outbox any, OutboxEvent event) {
    inTransaction().executeWithoutResult(transaction -> any.append(event));
  }

  private OutboxEvent shipped(String payload) {
    return new OutboxEvent(
        UUID.randomUUID(), "Parcel", parcel, "Shipped", payload, Map.of("about", "a parcel"));
  }

  private TransactionTemplate inTransaction() {
    return new TransactionTemplate(transactions);
  }
}
