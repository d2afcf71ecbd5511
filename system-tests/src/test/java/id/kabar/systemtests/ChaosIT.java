package id.kabar.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.systemtests.Script.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Chaos scripts on a stack of their own, whose provider ignores idempotency keys. Most experiments
 * pass all the same, because few events need a second call whose first was accepted; one must fail.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChaosIT {

  private static final Path HOME = Path.of("target", "chaos-stack").toAbsolutePath();

  private final LocalStack stack =
      LocalStack.onFreePorts(HOME).with(Service.EMAIL_STUB, "EMAIL_STUB_IGNORE_KEYS", "true");

  @BeforeAll
  void up() {
    stack.wipe();
    stack.start();
  }

  @AfterAll
  void down() {
    stack.lookAgain().stop(); // what the scripts have started too
    stack.close();
  }

  @Test
  void killedRelayHasItsPlaceTakenAndThePaymentsAreMailed() throws Exception {
    Run run = chaos("kill-relay", "--orders", "8");

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("is killed", "8 orders, 8 paid: 8 mailed", "PASS kill-relay on local");
    assertThat(stack.lookAgain().instance("outbox-relay#1").isAlive()).isTrue();
  }

  @Test
  void rejectedEmailsAreDeadLetteredAndMailedAfterAReplay() throws Exception {
    Run run = chaos("email-errors", "400", "--orders", "5");

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output()).contains("5 REJECTED", "5 paid: 5 mailed", "PASS email-errors");
  }

  @Test
  void poisonIsSetAsideAndTheOthersAreMailed() throws Exception {
    Run run = chaos("poison-event", "--orders", "5");

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output()).contains("4 POISON", "5 paid: 5 mailed", "PASS poison-event");
  }

  @Test
  void brokenPromiseIsAFailure() throws Exception {
    Run run = chaos("email-resets", "--orders", "5");

    assertThat(run.code()).as(run.output()).isEqualTo(1);
    assertThat(run.output())
        .contains("MAILED_TWICE (K-3)", "promises are broken", "FAIL email-resets on local");
  }

  private static Run chaos(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(words));
    command.set(0, "chaos/" + words[0]);
    command.addAll(List.of("--on", "local"));
    Run run = Script.run(Map.of("KABAR_DATA", HOME.toString(), "KABAR_PORT_OFFSET", "0"), command);
    System.out.println(run.output());
    return run;
  }
}
