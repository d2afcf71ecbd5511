package id.kabar.systemtests;

import static id.kabar.systemtests.Kabar.NOTIFICATION;
import static id.kabar.systemtests.Provider.Delivery.ONE_EMAIL;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.localstack.history.History;
import id.kabar.localstack.history.History.TopicRecord;
import id.kabar.systemtests.Shop.Purchase;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** K-3 on a fine day: a paid order is one email, however often its news comes. */
@ExtendWith(RunningKabar.class)
class JourneyIT {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String TRACEPARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @Test
  void paidOrderBecomesOneEmailToItsCustomer(Kabar kabar) {
    Purchase purchase = kabar.shop().buy();

    String event = kabar.eventOf(purchase);
    kabar.awaitEmail(event);

    var delivered = kabar.provider().delivered(event);
    assertThat(delivered.counts()).isEqualTo(ONE_EMAIL);
    JsonNode email = delivered.messages().getFirst();
    assertThat(email.required("to").asString()).isEqualTo(purchase.email());
    assertThat(email.required("subject").asString()).containsIgnoringCase("payment");
    for (String part : new String[] {"text", "html"}) {
      assertThat(email.required(part).asString())
          .as(part)
          .contains(purchase.orderId())
          .contains("Rp 150.000");
    }
  }

  @Test
  void traceOfThePaymentReachesTheProvider(Kabar kabar) {
    Purchase purchase = kabar.shop().place();
    kabar.shop().tryToPay(purchase, "traceparent", TRACEPARENT).expect(200);

    String event = kabar.eventOf(purchase);
    kabar.awaitEmail(event);

    TopicRecord record = kabar.recordsOf(purchase).getFirst();
    assertThat(record.headers().get("traceparent")).contains(TRACE);
    JsonNode email = kabar.provider().delivered(event).messages().getFirst();
    assertThat(email.required("traceparent").asString())
        .contains(TRACE)
        .isNotEqualTo(record.headers().get("traceparent"));
  }

  @Test
  void orderThatIsNotPaidIsNoNews(Kabar kabar) {
    Purchase purchase = kabar.shop().place();
    kabar.shop().tryToPay(purchase).expect(200);

    kabar.shop().tryToPay(purchase).expect(409);

    kabar.awaitEmail(kabar.eventOf(purchase));
    assertThat(kabar.provider().acceptedFor(purchase.email())).isEqualTo(1);
  }

  @Test
  void eventDeliveredAgainIsMailedOnce(Kabar kabar) {
    Purchase purchase = kabar.shop().buy();
    String event = kabar.eventOf(purchase);
    kabar.awaitEmail(event);

    kabar.broker().repeat(kabar.recordsOf(purchase).getFirst());
    kabar.broker().repeat(kabar.recordsOf(purchase).getFirst());
    kabar.awaitConsumed();

    assertThat(kabar.recordsOf(purchase)).hasSize(3);
    assertThat(kabar.provider().delivered(event).counts()).isEqualTo(ONE_EMAIL);
  }

  @Test
  void consumersThatReadTheTopicFromItsBeginningSendNothing(Kabar kabar) {
    for (int i = 0; i < 20; i++) {
      kabar.shop().buy();
    }
    kabar.awaitConsumed();
    int accepted = kabar.provider().acceptedInAll();

    kabar.stop(NOTIFICATION);
    kabar.broker().rewind("notification-service", History.TOPIC);
    kabar.start(NOTIFICATION);
    kabar.awaitConsumed();

    assertThat(kabar.provider().acceptedInAll()).isEqualTo(accepted);
  }

  @Test
  void eventsPublishedAgainFromTheArchiveAreNoSecondEmail(Kabar kabar) {
    List<Purchase> purchases = Stream.generate(kabar.shop()::buy).limit(5).toList();
    kabar.awaitConsumed();

    purchases.forEach(kabar::publishAgain);
    purchases.forEach(purchase -> kabar.awaitRecords(purchase, 2));
    kabar.awaitConsumed();

    assertThat(purchases)
        .allSatisfy(
            purchase ->
                assertThat(kabar.provider().delivered(kabar.eventOf(purchase)).counts())
                    .isEqualTo(ONE_EMAIL));
  }
}
