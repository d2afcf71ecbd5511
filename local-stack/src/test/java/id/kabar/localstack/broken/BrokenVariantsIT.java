package id.kabar.localstack.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import id.kabar.localstack.broken.Miniature.Pending;
import id.kabar.localstack.history.History;
import id.kabar.localstack.history.HistoryCheck;
import id.kabar.localstack.history.Kind;
import id.kabar.localstack.history.Run;
import id.kabar.localstack.history.Verdict;
import id.kabar.localstack.history.Violation;
import id.kabar.localstack.servers.Folders;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The check catches each mistake a service could make, once it has really done its harm, and finds
 * nothing where the same misfortune befalls services without it.
 */
@TestInstance(Lifecycle.PER_CLASS)
class BrokenVariantsIT {

  private Ground ground;

  /** A misfortune that befalls services, with or without a mistake. */
  private interface Misfortune {
    void befall(Mistake mistake) throws Exception;
  }

  @BeforeAll
  void start() throws Exception {
    Path folder = Path.of("target", "miniatures");
    Folders.delete(folder);
    ground = new Ground(folder);
  }

  @AfterAll
  void stop() {
    ground.close();
  }

  @BeforeEach
  void clear() throws Exception {
    ground.clear();
  }

  @TestFactory
  List<DynamicTest> eventCommittedOutsideThePaymentsTransactionIsAGhost() {
    return pair(
        Mistake.PUBLISH_OUTSIDE_THE_TRANSACTION,
        Kind.GHOST,
        mistake -> {
          String order = ground.newOrder();
          dies(() -> with(mistake, Crash.Point.BEFORE_THE_PAYMENT_IS_COMMITTED).pay(order));
        });
  }

  @TestFactory
  List<DynamicTest> eventSettledBeforeKafkaHasItIsLost() {
    return pair(
        Mistake.SETTLE_BEFORE_THE_CONFIRMATION,
        Kind.LOST,
        mistake -> {
          payOne(mistake);
          dies(() -> with(mistake, Crash.Point.BEFORE_THE_SEND).relay(null));
        });
  }

  @TestFactory
  List<DynamicTest> eventsReadBeforeTheLockAreRepeated() {
    return pair(
        Mistake.SNAPSHOT_BEFORE_THE_LOCK,
        Kind.REPEATED,
        mistake -> {
          payOne(mistake);
          Miniature late = with(mistake, Crash.Point.NOWHERE);
          List<Pending> seen = late.look();
          with(mistake, Crash.Point.NOWHERE).relay(null);
          late.relay(seen);
        });
  }

  @TestFactory
  List<DynamicTest> recordWithoutItsOrdersKeyIsMisrouted() {
    return pair(Mistake.NO_RECORD_KEY, Kind.MISROUTED, this::payOne);
  }

  @TestFactory
  List<DynamicTest> emailWithoutAKeyIsUnknownToTheProvider() {
    return pair(Mistake.NO_IDEMPOTENCY_KEY, Kind.VANISHED, this::payOne);
  }

  @TestFactory
  List<DynamicTest> recordCommittedBeforeItsEmailVanishes() {
    return pair(
        Mistake.OFFSET_BEFORE_THE_EMAIL,
        Kind.VANISHED,
        mistake -> {
          payOne(mistake);
          with(mistake, Crash.Point.NOWHERE).relay(null);
          dies(() -> with(mistake, Crash.Point.BEFORE_THE_EMAIL).notifyCustomers());
        });
  }

  @TestFactory
  List<DynamicTest> recordWhoseDeadLetterFailedAndWasSkippedVanishes() {
    return pair(
        Mistake.SKIP_A_FAILED_DEAD_LETTER,
        Kind.VANISHED,
        mistake -> {
          payOne(mistake);
          with(mistake, Crash.Point.NOWHERE).relay(null);
          ground.provider().rejectAll();
          with(mistake, Crash.Point.NOWHERE).notifyCustomers(); // no topic for dead letters
          ground.addTopic(History.DEAD_LETTER_TOPIC);
        });
  }

  @TestFactory
  List<DynamicTest> eventForgottenBeforeItsLastDeliveryIsMailedTwice() {
    return pair(
        Mistake.FORGET_TOO_EARLY,
        Kind.MAILED_TWICE,
        mistake -> {
          payOne(mistake);
          dies(() -> with(mistake, Crash.Point.BETWEEN_SEND_AND_SETTLE).relay(null));
          with(mistake, Crash.Point.NOWHERE).notifyCustomers();
          ground.provider().forgetKeys();
        });
  }

  private List<DynamicTest> pair(Mistake mistake, Kind kind, Misfortune misfortune) {
    // A relay that died is an excuse for repeats; only the misfortune that is about them has none.
    boolean excused = kind != Kind.REPEATED;
    return List.of(
        DynamicTest.dynamicTest(
            "and nothing is wrong without the mistake",
            () -> assertThat(kinds(misfortune, Mistake.NONE, excused)).isEmpty()),
        DynamicTest.dynamicTest(
            "caught",
            () -> {
              ground.clear();
              assertThat(kinds(misfortune, mistake, excused)).contains(kind);
            }));
  }

  private List<Kind> kinds(Misfortune misfortune, Mistake mistake, boolean excused)
      throws Exception {
    Instant begun = Instant.now();
    misfortune.befall(mistake);
    // Then others, of the same make, go on until nothing is left to do.
    with(mistake, Crash.Point.NOWHERE).relay(null);
    for (int again = 0; again < 3; again++) {
      with(mistake, Crash.Point.NOWHERE).notifyCustomers();
    }
    Run run = run(begun, excused);
    Verdict verdict = HistoryCheck.judge(ground.history(), run);
    System.out.println(mistake + "\n" + verdict);
    return verdict.violations().stream().map(Violation::kind).toList();
  }

  private static Run run(Instant begun, boolean excused) {
    Run.Disturbance death =
        new Run.Disturbance("a relay dies", Set.of("outbox-relay"), begun, Instant.now());
    return new Run(
        1,
        begun,
        Instant.now(),
        Duration.ZERO,
        List.of(),
        excused ? List.of(death) : List.of(),
        List.of());
  }

  private void payOne(Mistake mistake) throws Exception {
    with(mistake, Crash.Point.NOWHERE).pay(ground.newOrder());
  }

  private Miniature with(Mistake mistake, Crash.Point death) {
    return new Miniature(ground, mistake, death);
  }

  private static void dies(ThrowingCallable deed) {
    assertThatThrownBy(deed).isInstanceOf(Crash.class);
  }
}
