package id.kabar.localstack.chaos;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.localstack.Service;
import id.kabar.localstack.chaos.Schedule.Injection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void sameSeedBreaksTheSameAtTheSameTime() {
    assertThat(Schedule.of(7, HOUR)).isEqualTo(Schedule.of(7, HOUR));
    assertThat(Schedule.of(7, HOUR)).isNotEqualTo(Schedule.of(8, HOUR));
  }

  /** Else a seed kept as a proof would prove something else after a change of the generator. */
  @Test
  void seedKeepsItsScheduleFromReleaseToRelease() {
    assertThat(Schedule.of(1, Duration.ofSeconds(30)).injections())
        .map(it -> "%s %s %s".formatted(it.at(), it.lasts(), it.fault()))
        .containsExactly(
            "PT7.588S PT4.813S SIGKILL kafka",
            "PT17.911S PT24.473S provider {\"mode\":\"status\",\"status\":401,\"share\":0.3}",
            "PT18.567S PT0S restart order-service");
  }

  /** Which must find something wherever the provider ignores keys. */
  @Test
  void seedOfTheControlRunLosesAnswers() {
    assertThat(Schedule.of(266, Duration.ofSeconds(12)).injections())
        .singleElement()
        .satisfies(it -> assertThat(it.fault().toString()).contains("503", "afterAccepting"))
        .satisfies(it -> assertThat(it.lasts()).isGreaterThan(Duration.ofMinutes(1)));
  }

  @Test
  void longerScheduleBeginsLikeAShorterOne() {
    List<Injection> shorter = Schedule.of(3, Duration.ofMinutes(5)).injections();

    assertThat(Schedule.of(3, HOUR).injections()).startsWith(shorter.toArray(Injection[]::new));
  }

  @Test
  void everyKindOfFaultComesInAnHour() {
    assertThat(injections(1).map(it -> it.fault().kind()).collect(toSet()))
        .isEqualTo(Fault.KINDS)
        .hasSize(11);
  }

  @Test
  void everyModeOfTheStubEveryWireAndEveryProcessIsBrokenInTime() {
    Set<String> all = injections(6).map(it -> it.fault().toString()).collect(toSet());

    for (String mode :
        List.of("status", "delay", "drip", "reset", "empty", "malformed", "garbage")) {
      assertThat(all).anyMatch(fault -> fault.contains("\"mode\":\"" + mode + "\""));
    }
    assertThat(all).anyMatch(fault -> fault.contains("afterAccepting"));
    for (Link link : Link.values()) {
      assertThat(all).anyMatch(fault -> fault.contains(link.toString()));
    }
    for (String victim :
        List.of(
            "order-service",
            "outbox-relay#2",
            "notification-service#2",
            "postgres",
            "kafka",
            "email-stub")) {
      assertThat(all).contains("SIGKILL " + victim, "SIGSTOP " + victim, "SIGTERM " + victim);
    }
  }

  @Test
  void upToThreeFaultsOverlapAndNeverTwoOfTheSameThing() {
    for (Injection one : injections(1).toList()) {
      List<Injection> atOnce =
          Schedule.of(1, HOUR).injections().stream()
              .filter(it -> it.at().compareTo(one.end()) < 0 && one.at().compareTo(it.end()) < 0)
              .toList();
      assertThat(atOnce).hasSizeLessThanOrEqualTo(3);
      assertThat(
              atOnce.stream()
                  .filter(it -> !it.equals(one))
                  .noneMatch(
                      it -> !Collections.disjoint(it.fault().claims(), one.fault().claims())))
          .as("%s", atOnce)
          .isTrue();
    }
  }

  @Test
  void relaysBecomeOneThenFiveAndConsumersStartOnAFullTopic() {
    assertThat(injections(6).map(it -> it.fault().toString()))
        .contains("scale outbox-relay to 1, then 5", "SIGKILL every notification-service");
  }

  /** It forgets them when it dies. */
  @Test
  void providerIsNotKilledWhileItHasAFaultInForce() {
    assertThat(new Fault.Provider("{}").claims())
        .isEqualTo(new Fault.Kill(Service.EMAIL_STUB.number(1)).claims());
  }

  private static Stream<Injection> injections(int seeds) {
    return LongStream.rangeClosed(1, seeds)
        .mapToObj(seed -> Schedule.of(seed, HOUR))
        .flatMap(schedule -> schedule.injections().stream());
  }
}
