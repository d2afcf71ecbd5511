package id.kabar.emailstub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the inbox remembers, and that it forgets in time. */
class InboxTest {

  private static final Duration AT_ONCE = Duration.ZERO;

  @Test
  void hundredThousandEmailsCostTheBytesPerKeyThatAreSaid() throws Exception {
    Inbox inbox = inbox(1_000_000);
    receive(inbox, 2_000);
    long before = usedBytes();

    List<String> some = receive(inbox, 100_000);

    assertThat((usedBytes() - before) / 100_000)
        .as("bytes per key")
        .isLessThan(StubSettings.BYTES_PER_KEY);
    assertThat(inbox.contents(null, null, Inbox.MESSAGES_KEPT).accepted()).isEqualTo(102_000);
    assertThat(inbox.contents(null, null, Inbox.MESSAGES_KEPT).messages())
        .hasSize(Inbox.MESSAGES_KEPT);
    assertThat(some)
        .allSatisfy(key -> assertThat(inbox.contents(key, null, 0).accepted()).isEqualTo(1));
  }

  @Test
  void oldestKeyMakesRoomForTheNewest() throws Exception {
    Inbox inbox = inbox(2);
    for (String key : List.of("1", "2", "3")) {
      receive(inbox, key, "ann@example.com");
    }

    List<String> keys = new ArrayList<>();
    inbox.forEachKey(null, 10, (key, history) -> keys.add(key));
    assertThat(keys).containsExactly("2", "3");
    assertThat(inbox.contents(null, null, 10).accepted()).isEqualTo(3);
  }

  @Test
  void longMessagesMakeRoomToo() throws Exception {
    Inbox inbox = inbox(100);
    for (int i = 0; i < 20; i++) {
      String text = "x".repeat(1_000_000);
      Email email = new Email(null, "ann@example.com", null, text, null, null);
      inbox.receive("k" + i, email, Sha256.of(text.getBytes(UTF_8)), AT_ONCE);
    }

    assertThat(inbox.contents(null, null, 100).messages())
        .hasSizeBetween(1, Inbox.CHARACTERS_KEPT / 1_000_000);
    assertThat(inbox.contents(null, null, 100).accepted()).isEqualTo(20);
  }

  @Test
  void repeatOfAnEmailNoLongerKeptIsStillARepeat() throws Exception {
    Inbox inbox = inbox(1_000_000);
    Verdict first = receive(inbox, "first", "ann@example.com");
    receive(inbox, Inbox.MESSAGES_KEPT);

    Verdict again = receive(inbox, "first", "ann@example.com");

    assertThat(inbox.contents("first", null, 10).messages()).isEmpty();
    assertThat(again).isEqualTo(new Verdict.Repeated(((Verdict.Accepted) first).id()));
    assertThat(inbox.contents("first", null, 10).repeated()).isEqualTo(1);
  }

  @Test
  void interruptedCallLeavesItsKeyFree() throws Exception {
    Inbox inbox = inbox(100);
    Thread.currentThread().interrupt();
    try {
      receive(inbox, "k", "ann@example.com", Duration.ofMinutes(1));
    } catch (InterruptedException e) {
      assertThat(receive(inbox, "k", "ann@example.com")).isInstanceOf(Verdict.Accepted.class);
      return;
    }
    throw new AssertionError("the wait was not interrupted");
  }

  @Test
  void killedProviderKnowsWhatItHasDelivered(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("journal");
    Inbox before = inbox(Journal.in(file));
    Verdict first = receive(before, "k 1", "ann@example.com");
    receive(before, "2", "bob@example.com");
    Files.writeString(file, "3 1764496800000 12", StandardOpenOption.APPEND); // torn by the kill

    Inbox after = inbox(Journal.in(file));

    assertThat(receive(after, "k 1", "ann@example.com"))
        .isEqualTo(new Verdict.Repeated(((Verdict.Accepted) first).id()));
    assertThat(receive(after, "2", "eve@example.com")).isInstanceOf(Verdict.KeyReused.class);
    Verdict third = receive(after, "3", "ann@example.com");
    assertThat(receive(inbox(Journal.in(file)), "3", "ann@example.com"))
        .isEqualTo(new Verdict.Repeated(((Verdict.Accepted) third).id()));
    assertThat(after.contents(null, null, 0).accepted()).isEqualTo(3);
    assertThat(Files.readString(file)).doesNotContain("@example.com");
  }

  @Test
  void fileOfSomethingElseIsNoJournal(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("letter"), "Dear Sir,\n");

    assertThatThrownBy(() -> Journal.in(file))
        .isInstanceOf(Journal.Unusable.class)
        .hasMessageContaining("no journal");
    assertThat(file).hasContent("Dear Sir,");
  }

  @Test
  void emptiedInboxIsEmptyAfterAKillToo(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("journal");
    Inbox before = inbox(Journal.in(file));
    receive(before, "1", "ann@example.com");
    before.clear();
    receive(before, "2", "ann@example.com");

    Inbox after = inbox(Journal.in(file));

    assertThat(after.contents("1", null, 0).accepted()).isZero();
    assertThat(after.contents("2", null, 0).accepted()).isEqualTo(1);
  }

  private static Inbox inbox(int keysKept) {
    return new Inbox(new SettableClock(), Duration.ofHours(24), false, keysKept, Journal.none());
  }

  private static Inbox inbox(Journal journal) {
    return new Inbox(new SettableClock(), Duration.ofHours(24), false, 100, journal);
  }

  private static List<String> receive(Inbox inbox, int emails) throws InterruptedException {
    List<String> some = new ArrayList<>();
    for (int i = 0; i < emails; i++) {
      String key = UUID.randomUUID().toString();
      receive(inbox, key, "customer-" + key + "@example.com");
      if (i % 1_000 == 0) {
        some.add(key);
      }
    }
    return some;
  }

  private static Verdict receive(Inbox inbox, String key, String to) throws InterruptedException {
    return receive(inbox, key, to, AT_ONCE);
  }

  private static Verdict receive(Inbox inbox, String key, String to, Duration processing)
      throws InterruptedException {
    String body = Caller.email(to);
    return inbox.receive(key, Email.read(body), Sha256.of(body.getBytes(UTF_8)), processing);
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      runtime.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
