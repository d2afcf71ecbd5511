package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import id.kabar.orders.Shop.Answer;
import id.kabar.orders.outbox.EventTooLarge;
import id.kabar.orders.outbox.SmallOutbox;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@WholeService
class OrderPaymentsIT {

  @Autowired Shop shop;
  @Autowired Orders orders;
  @Autowired SmallOutbox smallOutbox;
  @Autowired PlatformTransactionManager transactions;
  @Autowired Supplier<UUID> ids;
  @Autowired JsonMapper json;

  @Test
  void payingAnOrderLeavesOneEventThatTellsOfIt() {
    String id = shop.placeOrder();

    Answer paid = shop.pay(id);

    assertThat(paid.status()).isEqualTo(200);
    assertThat(paid.json().get("status").stringValue()).isEqualTo("PAID");
    Map<String, Object> event = eventOf(id);
    JsonNode payload = json.readTree(event.get("payload").toString());
    assertThat(payload.get("orderId").stringValue()).isEqualTo(id);
    assertThat(payload.get("eventId").stringValue()).isEqualTo(event.get("id").toString());
    assertThat(payload.get("paidAt")).isEqualTo(paid.json().get("paidAt"));
    assertThat(event).containsEntry("event_type", "OrderPaid").containsEntry("attempts", 0);
    assertThat(json.readTree(event.get("headers").toString()).get("ce_id").stringValue())
        .isEqualTo(event.get("id").toString());
  }

  @Test
  void theEventsBytesAreThoseThatWereBuilt() {
    String id = shop.placeOrder("o'b\"rien+😀é@exämple.com");

    shop.pay(id);

    assertThat(eventOf(id).get("payload").toString())
        .startsWith("{\"eventId\":\"")
        .contains("\"customerEmail\":\"o'b\\\"rien+😀é@exämple.com\",\"totalAmount\":15000000,");
  }

  @Test
  void theEventCarriesTheTraceOfThePayment() {
    String id = shop.placeOrder();
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";

    shop.pay(
        id,
        "traceparent",
        "00-" + trace + "-00f067aa0ba902b7-01",
        "tracestate",
        "who=ani@example.com",
        "baggage",
        "who=ani@example.com");

    JsonNode headers = json.readTree(eventOf(id).get("headers").toString());
    assertThat(headers.get("traceparent").stringValue()).startsWith("00-" + trace + "-");
    assertThat(headers.toString()).doesNotContain("ani");
  }

  @Test
  void anOrderThatIsNotPendingIsRefusedAndLeavesNoEvent() {
    String paid = shop.placeOrder();
    shop.pay(paid);
    String cancelled = shop.placeOrder();
    shop.cancel(cancelled);

    Answer again = shop.pay(paid);
    Answer tooLate = shop.pay(cancelled);

    assertThat(List.of(again.status(), tooLate.status())).containsOnly(409);
    assertThat(List.of(again.type(), tooLate.type())).containsOnly("order-not-pending");
    assertThat(shop.eventsOf(paid)).isEqualTo(1);
    assertThat(shop.eventsOf(cancelled)).isZero();
  }

  @Test
  void aPaidOrderIsNotCancelled() {
    String id = shop.placeOrder();
    shop.pay(id);

    assertThat(shop.cancel(id).type()).isEqualTo("order-not-pending");
    assertThat(shop.statusOf(id)).isEqualTo("PAID");
  }

  @Test
  void anUnknownOrderIsNotFound() {
    String nobody = UUID.randomUUID().toString();

    assertThat(List.of(shop.pay(nobody), shop.cancel(nobody), shop.get("/orders/" + nobody)))
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).isEqualTo(404);
              assertThat(answer.type()).isEqualTo("order-not-found");
            });
  }

  @Test
  void fiftyPaymentsOfOneOrderAtOnceAreOnePayment() throws Exception {
    String id = shop.placeOrder();
    CountDownLatch start = new CountDownLatch(1);

    List<Integer> statuses;
    try (ExecutorService clients = Executors.newFixedThreadPool(50)) {
      List<Future<Answer>> answers =
          IntStream.range(0, 50)
              .mapToObj(
                  n ->
                      clients.submit(
                          () -> {
                            start.await();
                            return shop.pay(id);
                          }))
              .toList();
      start.countDown();
      statuses = statusesOf(answers);
    }

    Map<Integer, Long> counts =
        statuses.stream().collect(Collectors.groupingBy(s -> s, Collectors.counting()));
    assertThat(counts).isEqualTo(Map.of(200, 1L, 409, 49L));
    assertThat(shop.eventsOf(id)).isEqualTo(1);
  }

  @Test
  void aCommitThatFailsAfterTheEventWasWrittenLeavesNeither() {
    String id = shop.placeOrder();
    shop.database()
        .execute(
            """
            create function refuse_commit() returns trigger language plpgsql as
              $$ begin raise exception 'refused at commit'; end $$;
            create constraint trigger refuse_commit after insert on outbox_event
              deferrable initially deferred
              for each row when (new.aggregate_id = '%s') execute function refuse_commit();
            """
                .formatted(id));
    try {
      Answer failed = shop.pay(id);

      assertThat(failed.status()).isEqualTo(500);
      assertThat(failed.type()).isEqualTo("internal-error");
      assertThat(failed.body()).doesNotContain("refused at commit");
      assertThat(shop.statusOf(id)).isEqualTo("PENDING");
      assertThat(shop.eventsOf(id)).isZero();
    } finally {
      shop.database().execute("drop function refuse_commit cascade");
    }
    assertThat(shop.pay(id).status()).isEqualTo(200);
  }

  @Test
  void aPaymentWhoseEventItsTopicWouldRefuseIsNotCommitted() {
    String id = shop.placeOrder();
    OrderPayments payments =
        new OrderPayments(orders, smallOutbox.of("100B"), ids, Clock.systemUTC(), json);

    assertThatExceptionOfType(EventTooLarge.class)
        .isThrownBy(
            () ->
                new TransactionTemplate(transactions)
                    .execute(transaction -> payments.pay(UUID.fromString(id))))
        .withMessageContaining("the limit is 100");
    assertThat(shop.statusOf(id)).isEqualTo("PENDING");
    assertThat(shop.eventsOf(id)).isZero();
  }

  private static List<Integer> statusesOf(List<Future<Answer>> answers) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (Future<Answer> answer : answers) {
      statuses.add(answer.get(60, TimeUnit.SECONDS).status());
    }
    return statuses;
  }

  private Map<String, Object> eventOf(String id) {
    return shop.sql()
        .sql("select * from outbox_event where aggregate_id = :id")
        .param("id", id)
        .query()
        .singleRow();
  }
}
