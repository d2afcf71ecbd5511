package id.kabar.orders.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.orders.Shop;
import id.kabar.orders.Shop.Answer;
import id.kabar.orders.WholeService;
import id.kabar.testservers.TestPostgres;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;

@WholeService
class IdempotencyIT {

  private static final String HEADER = "Idempotency-Key";
  private static final String ORDER =
      """
      {"customerEmail": "ani@example.com", "totalAmount": 15000000}
      """;

  @Autowired Shop shop;
  @Autowired AnswerCleaning cleaning;

  private final String key = UUID.randomUUID().toString();

  @Test
  void theSameRequestPlacesOneOrderAndIsAnsweredAlike() {
    Answer first = shop.post("/orders", ORDER, HEADER, key);
    Answer second = shop.post("/orders", ORDER, HEADER, key);

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("Idempotency-Replayed")).isEmpty();
    assertThat(second.header("Idempotency-Replayed")).contains("true");
    assertThat(second.status()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.header("Location")).isPresent().isEqualTo(first.header("Location"));
    assertThat(second.header("Content-Type")).isPresent().isEqualTo(first.header("Content-Type"));
  }

  @Test
  void aPaymentWhoseAnswerWasLostIsAnsweredWhenAskedAgain() throws IOException {
    String id = shop.placeOrder();
    try (Socket client = new Socket("localhost", shop.port())) {
      client
          .getOutputStream()
          .write(
              """
              POST /orders/%s/pay HTTP/1.1\r
              Host: localhost\r
              Idempotency-Key: %s\r
              Content-Length: 0\r
              \r
              """
                  .formatted(id, key)
                  .getBytes(StandardCharsets.US_ASCII));
    }
    await().untilAsserted(() -> assertThat(shop.statusOf(id)).isEqualTo("PAID"));

    Answer again = shop.pay(id, HEADER, key);

    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().get("status").stringValue()).isEqualTo("PAID");
    assertThat(again.header("Idempotency-Replayed")).contains("true");
    assertThat(shop.eventsOf(id)).isEqualTo(1);
  }

  @Test
  void anotherBodyOrAnotherAddressUnderTheKeyIsRefused() {
    String id = shop.placeOrder();
    shop.post("/orders", ORDER, HEADER, key);

    Answer otherBody = shop.post("/orders", ORDER.replace("15", "16"), HEADER, key);
    Answer otherAddress = shop.pay(id, HEADER, key);

    assertThat(List.of(otherBody.status(), otherAddress.status())).containsOnly(422);
    assertThat(List.of(otherBody.type(), otherAddress.type()))
        .containsOnly("idempotency-key-reused");
    assertThat(shop.statusOf(id)).isEqualTo("PENDING");
  }

  @Test
  void aRefusalIsRememberedToo() {
    String cancelled = shop.placeOrder();
    shop.cancel(cancelled);
    String nobody = UUID.randomUUID().toString();

    Answer conflict = shop.pay(cancelled, HEADER, key);
    Answer conflictAgain = shop.pay(cancelled, HEADER, key);
    Answer unknown = shop.pay(nobody, HEADER, "404" + key);
    Answer unknownAgain = shop.pay(nobody, HEADER, "404" + key);

    assertThat(conflict.type()).isEqualTo("order-not-pending");
    assertThat(unknown.type()).isEqualTo("order-not-found");
    assertThat(conflictAgain.status()).isEqualTo(409);
    assertThat(conflictAgain.body()).isEqualTo(conflict.body());
    assertThat(unknownAgain.status()).isEqualTo(404);
    assertThat(unknownAgain.body()).isEqualTo(unknown.body());
    assertThat(List.of(conflictAgain, unknownAgain))
        .allSatisfy(
            answer -> {
              assertThat(answer.header("Idempotency-Replayed")).contains("true");
              assertThat(answer.header("Content-Type")).contains("application/problem+json");
            });
  }

  @Test
  void theRefusalOfAPaidOrderStaysTheAnswerOfItsOwnKey() {
    String id = shop.placeOrder();

    Answer first = shop.pay(id, HEADER, "first-" + key);
    Answer second = shop.pay(id, HEADER, "second-" + key);
    Answer firstAgain = shop.pay(id, HEADER, "first-" + key);

    assertThat(List.of(first.status(), second.status(), firstAgain.status()))
        .containsExactly(200, 409, 200);
  }

  @Test
  void aMalformedRequestIsNotRemembered() {
    Answer malformed = shop.post("/orders", "{", HEADER, key);
    Answer invalid = shop.post("/orders", "{}", HEADER, key);
    Answer wellFormed = shop.post("/orders", ORDER, HEADER, key);

    assertThat(List.of(malformed.status(), invalid.status(), wellFormed.status()))
        .containsExactly(400, 400, 201);
  }

  @Test
  void whileTheFirstIsStillRunningTheSecondIsAskedToComeBack() throws Exception {
    String id = shop.placeOrder();
    CompletableFuture<Answer> first;
    try (Connection holder = holdingRowOf(id)) {
      first = CompletableFuture.supplyAsync(() -> shop.pay(id, HEADER, key));
      awaitSomebodyWaitingForTheRow();

      Answer second = shop.pay(id, HEADER, key);

      assertThat(second.status()).isEqualTo(409);
      assertThat(second.type()).isEqualTo("request-in-progress");
      holder.rollback();
    }
    Answer done = first.get(30, TimeUnit.SECONDS);
    Answer third = shop.pay(id, HEADER, key);
    assertThat(done.status()).isEqualTo(200);
    assertThat(third.body()).isEqualTo(done.body());
    assertThat(shop.eventsOf(id)).isEqualTo(1);
  }

  @Test
  void twentyAtOnceUnderOneKeyPlaceOneOrder() {
    List<CompletableFuture<Answer>> all =
        IntStream.range(0, 20)
            .mapToObj(
                n -> CompletableFuture.supplyAsync(() -> shop.post("/orders", ORDER, HEADER, key)))
            .toList();

    List<Answer> answers = all.stream().map(CompletableFuture::join).toList();

    assertThat(answers).extracting(Answer::status).contains(201).isSubsetOf(201, 409);
    assertThat(answers.stream().filter(a -> a.status() == 201).map(Answer::body).distinct())
        .hasSize(1);
    assertThat(answers.stream().filter(a -> a.status() == 409).map(Answer::type).distinct())
        .isSubsetOf("request-in-progress");
  }

  @Test
  void aRequestThatBreaksOffLeavesNothingBehindAndMayBeTriedAgain() throws Exception {
    String id = shop.placeOrder();
    CompletableFuture<Answer> first;
    try (Connection holder = holdingRowOf(id)) {
      first = CompletableFuture.supplyAsync(() -> shop.pay(id, HEADER, key));
      awaitSomebodyWaitingForTheRow();
      TestPostgres.shared()
          .admin()
          .execute(
              "select pg_terminate_backend(pid) from pg_stat_activity"
                  + " where wait_event_type = 'Lock' and query like 'update orders%'");
      assertThat(first.get(30, TimeUnit.SECONDS).status()).isEqualTo(503);
      holder.rollback();
    }
    assertThat(shop.statusOf(id)).isEqualTo("PENDING");
    assertThat(shop.eventsOf(id)).isZero();

    assertThat(shop.pay(id, HEADER, key).status()).isEqualTo(200);
    assertThat(shop.eventsOf(id)).isEqualTo(1);
  }

  @Test
  void aLostRaceIsNotRemembered() throws Exception {
    String id = shop.placeOrder();
    CompletableFuture<Answer> loser;
    try (Connection winner = holdingRowOf(id);
        Statement change = winner.createStatement()) {
      loser = CompletableFuture.supplyAsync(() -> shop.pay(id, HEADER, key));
      awaitSomebodyWaitingForTheRow();
      change.execute("update orders set version = version + 1 where id = '" + id + "'");
      winner.commit();
    }
    assertThat(loser.get(30, TimeUnit.SECONDS).type()).isEqualTo("order-changed");
    assertThat(shop.eventsOf(id)).isZero();

    Answer again = shop.pay(id, HEADER, key);

    assertThat(again.status()).isEqualTo(200);
    assertThat(again.header("Idempotency-Replayed")).isEmpty();
  }

  @Test
  void aCommitThatFailsStoresNoAnswer() {
    shop.database()
        .execute(
            """
            create function refuse_answer() returns trigger language plpgsql as
              $$ begin raise exception 'refused at commit'; end $$;
            create constraint trigger refuse_answer after insert on idempotent_answer
              deferrable initially deferred
              for each row when (new.key = '%s') execute function refuse_answer();
            """
                .formatted(key));
    try {
      Answer failed = shop.post("/orders", ORDER, HEADER, key);

      assertThat(failed.status()).isEqualTo(500);
      assertThat(failed.type()).isEqualTo("internal-error");
      assertThat(failed.header("Location")).isEmpty();
    } finally {
      shop.database().execute("drop function refuse_answer cascade");
    }
    Answer again = shop.post("/orders", ORDER, HEADER, key);
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.header("Idempotency-Replayed")).isEmpty();
  }

  @Test
  void aKeyIsForgottenAfterItsTime() {
    String first = shop.post("/orders", ORDER, HEADER, key).json().get("id").stringValue();
    expire(key);

    Answer another = shop.post("/orders", ORDER.replace("15", "16"), HEADER, key);

    assertThat(another.status()).isEqualTo(201);
    assertThat(another.json().get("id").stringValue()).isNotEqualTo(first);
    assertThat(shop.post("/orders", ORDER.replace("15", "16"), HEADER, key).body())
        .isEqualTo(another.body());
  }

  @Test
  void answersAreKeptForADayByTheDatabasesClock() {
    shop.post("/orders", ORDER, HEADER, key);

    double hours =
        shop.sql()
            .sql(
                "select extract(epoch from expires_at - clock_timestamp()) / 3600"
                    + " from idempotent_answer where key = :key")
            .param("key", key)
            .query(Double.class)
            .single();
    assertThat(hours).isBetween(23.9, 24.0);
  }

  @Test
  void cleaningDeletesWhatIsForgottenAndNothingElse() {
    shop.post("/orders", ORDER, HEADER, "kept-" + key);
    shop.sql()
        .sql(
            """
            insert into idempotent_answer (key, fingerprint, status, body, expires_at)
            select :key || n, '', 200, '', clock_timestamp() from generate_series(1, 2500) n
            """)
        .param("key", "old-" + key)
        .update();

    cleaning.clean();

    List<String> left =
        shop.sql()
            .sql("select key from idempotent_answer where key like '%' || :key || '%'")
            .param("key", key)
            .query(String.class)
            .list();
    assertThat(left).containsExactly("kept-" + key);
  }

  static Stream<String> badKeys() {
    return Stream.of("", "a b", "x".repeat(256));
  }

  @ParameterizedTest
  @MethodSource("badKeys")
  void aKeyIsUpTo255VisibleAsciiCharacters(String bad) {
    Answer answer = shop.post("/orders", ORDER, HEADER, bad);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.fieldsAtFault()).containsExactly(HEADER);
  }

  @Test
  void theLongestKeyWorksAndTwoKeysDoNot() {
    String longest = "~".repeat(219) + key;

    assertThat(shop.post("/orders", ORDER, HEADER, longest).status()).isEqualTo(201);
    assertThat(shop.post("/orders", ORDER, HEADER, key, HEADER, key + "2").fieldsAtFault())
        .containsExactly(HEADER);
  }

  @Test
  void readingNeedsNoKeyAndIgnoresOne() {
    String id = shop.placeOrder();

    assertThat(shop.get("/orders/" + id, HEADER, "a b").status()).isEqualTo(200);
  }

  private Connection holdingRowOf(String id) throws SQLException {
    Connection holder = shop.database().connect();
    holder.setAutoCommit(false);
    try (Statement lock = holder.createStatement()) {
      lock.execute("select from orders where id = '" + id + "' for update");
    }
    return holder;
  }

  private void awaitSomebodyWaitingForTheRow() {
    await()
        .until(
            () ->
                shop.sql()
                    .sql(
                        "select exists (select from pg_stat_activity"
                            + " where wait_event_type = 'Lock' and query like 'update orders%')")
                    .query(Boolean.class)
                    .single());
  }

  private void expire(String expired) {
    shop.sql()
        .sql("update idempotent_answer set expires_at = clock_timestamp() where key = :key")
        .param("key", expired)
        .update();
  }
}
