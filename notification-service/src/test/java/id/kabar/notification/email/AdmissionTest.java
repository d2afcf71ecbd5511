package id.kabar.notification.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.notification.email.Admission.Pass;
import id.kabar.notification.email.Admission.Patience;
import id.kabar.notification.email.AdmissionSettings.Outage;
import id.kabar.notification.ledger.ProviderState;
import id.kabar.notification.ledger.ProviderState.Manual;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Who may call the provider, and who waits for how long. */
class AdmissionTest {

  private final SettableClock clock = new SettableClock();
  private final CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
  private final CircuitBreaker breaker = breakers.circuitBreaker("email");
  private final List<Pass> passes = Collections.synchronizedList(new ArrayList<>());
  private final AtomicBoolean wanted = new AtomicBoolean(true);
  private ProviderTrust trust = trust("60s");
  private Admission admission = admission("60s");

  @Test
  void atMostTheLimitIsInFlight() {
    arrive(6);
    awaitPasses(4, Pass.CALL);
    admission.leave(Pass.CALL, true);
    awaitPasses(5, Pass.CALL);
  }

  @Test
  void nobodyCallsWhileTheBreakerIsOpenAndNobodyIsGivenUpBeforeTheHoldIsOver() {
    breaker.transitionToOpenState();
    arrive(3);
    clock.advanceSeconds(59);
    assertNobodyPasses();
    assertThat(trust.now().paused()).isTrue();
    clock.advanceSeconds(1);
    awaitPasses(3, Pass.GIVE_UP);
    assertThat(trust.now().paused()).isFalse();
  }

  @Test
  void aHoldThatIsForeverGivesNobodyUp() {
    trust = trust("forever");
    admission = admission("forever");
    breaker.transitionToOpenState();
    arrive(3);
    clock.advanceSeconds(1_000_000);
    assertNobodyPasses();
  }

  @Test
  void exactlyOneRecordFindsOutWhetherTheProviderIsBack() {
    breaker.transitionToOpenState();
    arrive(3);
    breaker.transitionToHalfOpenState();
    awaitPasses(1, Pass.CALL);
    assertNobodyElsePasses();
    breaker.transitionToOpenState();
    admission.leave(Pass.CALL, false);
    assertNobodyElsePasses();
  }

  @Test
  void theHoldCountsFromTheFirstSignOfTheOutageHoweverOftenTheBreakerTries() {
    breaker.transitionToOpenState();
    clock.advanceSeconds(40);
    breaker.transitionToHalfOpenState();
    breaker.transitionToOpenState();
    arrive(1);
    clock.advanceSeconds(20);
    awaitPasses(1, Pass.GIVE_UP);
  }

  @Test
  void theHoldCountsAnewOnceTheProviderAnsweredInBetween() {
    breaker.transitionToOpenState();
    clock.advanceSeconds(40);
    breaker.transitionToHalfOpenState();
    breaker.transitionToClosedState();
    clock.advanceSeconds(3_600);
    breaker.transitionToOpenState();
    arrive(1);
    clock.advanceSeconds(59);
    assertNobodyPasses();
    clock.advanceSeconds(1);
    awaitPasses(1, Pass.GIVE_UP);
  }

  @Test
  void evenPastTheHoldOneRecordFindsOutAndTheOthersWaitForItsAnswer() {
    breaker.transitionToOpenState();
    clock.advanceSeconds(60);
    breaker.transitionToHalfOpenState();
    arrive(3);
    awaitPasses(1, Pass.CALL);
    assertNobodyElsePasses();
    breaker.transitionToOpenState();
    await().until(() -> passes.size() == 3);
    assertThat(passes).containsExactly(Pass.CALL, Pass.GIVE_UP, Pass.GIVE_UP);
  }

  @Test
  void afterAnOutageEveryAcceptedMessageLetsOneMoreIn() {
    breaker.transitionToOpenState();
    arrive(8);
    breaker.transitionToHalfOpenState();
    awaitPasses(1, Pass.CALL);
    breaker.transitionToClosedState();
    assertNobodyElsePasses();
    admission.leave(Pass.CALL, true);
    awaitPasses(3, Pass.CALL);
    admission.leave(Pass.CALL, false);
    awaitPasses(4, Pass.CALL);
    admission.leave(Pass.CALL, true);
    awaitPasses(6, Pass.CALL);
  }

  @Test
  void aPauseTheProviderAskedForIsKeptAndThenOneRecordComesFirst() {
    trust.throttledFor(Duration.ofSeconds(30));
    arrive(2);
    clock.advanceSeconds(29);
    assertNobodyPasses();
    assertThat(trust.now().reason()).isEqualTo(Trust.Reason.THROTTLED);
    clock.advanceSeconds(1);
    awaitPasses(1, Pass.CALL);
    assertNobodyElsePasses();
    assertThat(trust.accepted()).isTrue();
    admission.leave(Pass.CALL, true);
    awaitPasses(2, Pass.CALL);
    assertThat(trust.accepted()).isFalse();
  }

  @Test
  void pausesThatFollowEachOtherAreOneOutageUntilAMessageIsAccepted() {
    for (int i = 0; i < 3; i++) {
      trust.throttledFor(Duration.ofSeconds(20));
      clock.advanceSeconds(20);
    }
    trust.throttledFor(Duration.ofSeconds(20));
    assertThat(trust.now().givingUp()).isTrue();
    clock.advanceSeconds(20);
    trust.accepted();
    trust.throttledFor(Duration.ofSeconds(20));
    assertThat(trust.now().givingUp()).isFalse();
  }

  @Test
  void anInstanceWithoutEventsBelievesAnotherThatTheProviderIsBack() {
    breaker.transitionToOpenState();
    clock.advanceSeconds(10);
    trust.learn(trustedFor(Duration.ofSeconds(5)));
    assertThat(trust.now().gate()).isEqualTo(Trust.Gate.SHUT);
    breaker.transitionToHalfOpenState();
    trust.learn(trustedFor(Duration.ofSeconds(5)));
    assertThat(trust.now().gate()).isEqualTo(Trust.Gate.PROBE);
    clock.advanceSeconds(16);
    trust.learn(trustedFor(Duration.ofSeconds(30)));
    assertThat(trust.now().gate()).isEqualTo(Trust.Gate.PROBE);
    trust.learn(trustedFor(Duration.ofSeconds(21)));
    assertThat(trust.now()).isEqualTo(Trust.FULL);
  }

  private static ProviderState trustedFor(Duration ago) {
    return new ProviderState(Manual.AUTOMATIC, Instant.EPOCH, null, null, Duration.ZERO, ago);
  }

  @Test
  void aShorterPauseDoesNotEndALongerOne() {
    trust.throttledFor(Duration.ofSeconds(30));
    trust.throttledFor(Duration.ofSeconds(1));
    clock.advanceSeconds(29);
    assertThat(trust.now().gate()).isEqualTo(Trust.Gate.SHUT);
  }

  @Test
  void aRecordWhosePauseWasLongEnoughInAFlappingOutageIsGivenUp() {
    trust = trust("800ms");
    admission = admission("800ms");
    Patience patience = new Patience();
    breaker.transitionToOpenState();
    Thread.ofVirtual().start(() -> passes.add(admission.enter(patience, wanted::get)));
    // the provider's clock stands: the outage is young, the record's waiting is real
    awaitPasses(1, Pass.GIVE_UP);
  }

  @Test
  void whoIsNoLongerWantedIsLetGoWhileNobodyMayCall() {
    breaker.transitionToOpenState();
    arrive(2);
    wanted.set(false);
    admission.recheck();
    awaitPasses(2, Pass.GONE);
  }

  @Test
  void aHoldIsADurationOrForever() {
    assertThat(Hold.of("90s").isOver(Duration.ofSeconds(90))).isTrue();
    assertThat(Hold.of("2m").isOver(Duration.ofSeconds(119))).isFalse();
    assertThat(Hold.of(" Forever ").isOver(Duration.ofDays(9_999))).isFalse();
  }

  private ProviderTrust trust(String hold) {
    return new ProviderTrust(breakers, settings(hold), clock);
  }

  private Admission admission(String hold) {
    return new Admission(trust, settings(hold));
  }

  private static AdmissionSettings settings(String hold) {
    return new AdmissionSettings(4, new Outage(Hold.of(hold)));
  }

  private void arrive(int records) {
    for (int i = 0; i < records; i++) {
      Thread.ofVirtual().start(() -> passes.add(admission.enter(new Patience(), wanted::get)));
    }
  }

  private void awaitPasses(int count, Pass pass) {
    await().until(() -> passes.size() == count);
    assertThat(passes).containsOnly(pass);
  }

  private void assertNobodyPasses() {
    await().during(Duration.ofMillis(700)).until(passes::isEmpty);
  }

  private void assertNobodyElsePasses() {
    int before = passes.size();
    await().during(Duration.ofMillis(300)).until(() -> passes.size() == before);
  }
}
