package id.kabar.emailstub;

import static id.kabar.emailstub.Caller.email;
import static id.kabar.emailstub.EmailProviderTest.assertCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as it is run: arguments, exit codes, output, memory. */
class EmailStubIT {

  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/v1");
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final int EMAILS = 100_000;
  private static final int CALLERS = 16;

  @TempDir Path folder;

  @Test
  void hundredThousandEmailsPassThroughASmallHeapAndNoAddressIsLogged() throws Exception {
    Process stub = start("-Xmx80m", "--port", "0");
    try (Caller caller = new Caller(port(stub));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> sent = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        sent.add(callers.submit(() -> sendMany(caller, EMAILS / CALLERS)));
      }
      for (Future<Integer> one : sent) {
        assertThat(one.get()).isEqualTo(EMAILS / CALLERS);
      }

      assertCounts(caller.inbox(), EMAILS, 0, 0, EMAILS);
      assertThat(caller.inbox().path("messages")).hasSize(Inbox.MESSAGES_KEPT);
      List<String> keys = caller.call("GET", "/__admin/inbox/keys", "").body().lines().toList();
      assertThat(keys).hasSize(EMAILS).allMatch(key -> key.contains("\"accepted\":1"));
      String oldest = Json.read(keys.getFirst()).path("key").textValue();
      assertCounts(caller.inbox("?countsOnly=true&key=" + oldest), 1, 0, 0, 1);
    } finally {
      stub.destroy();
      stub.waitFor();
    }
    assertThat(output()).doesNotContain("@example.com").hasLineCount(1);
  }

  @Test
  void termSignalStopsItSoonEvenInTheMiddleOfACall() throws Exception {
    Process stub = start("-Xmx64m", "--port", "0");
    try (Caller caller = new Caller(port(stub))) {
      caller.givenFault("{\"mode\": \"delay\", \"delayMillis\": 60000}");
      var call = caller.sendAsync("k", email("ann@example.com"));
      await().until(() -> caller.send("k", email("ann@example.com"), SHORT).statusCode() == 409);

      stub.destroy();

      assertThat(stub.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(stub.exitValue()).isEqualTo(143);
      assertThatThrownBy(call::join).hasCauseInstanceOf(IOException.class);
    } finally {
      stub.destroyForcibly();
    }
    assertThat(output()).hasLineCount(1);
  }

  @Test
  void portThatIsTakenIsSaidInOneSentence() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Process stub = start("-Xmx64m", "--port", Integer.toString(taken.getLocalPort()));

      assertThat(stub.waitFor()).isEqualTo(1);
      assertThat(output())
          .isEqualTo(
              "email-stub: port %d is taken; stop what listens there or choose another with --port\n"
                  .formatted(taken.getLocalPort()));
    }
  }

  @Test
  void addressThatIsNotOursIsSaidInOneSentence() throws Exception {
    assertThat(start("-Xmx64m", "--port", "0", "--address", "no-such-host.invalid").waitFor())
        .isEqualTo(1);
    assertThat(output()).startsWith("email-stub: this machine has no address").hasLineCount(1);
  }

  @Test
  void badArgumentEndsWithTwo() throws Exception {
    assertThat(start("-Xmx64m", "--prot", "8089").waitFor()).isEqualTo(2);
    assertThat(output())
        .isEqualTo("email-stub: does not know --prot; --help shows what it knows\n");
  }

  @Test
  void helpIsPrinted() throws Exception {
    assertThat(start("-Xmx64m", "--help").waitFor()).isZero();
    assertThat(output()).isEqualTo(StubSettings.HELP);
  }

  private static int sendMany(Caller caller, int emails) throws Exception {
    int accepted = 0;
    for (int i = 0; i < emails; i++) {
      String key = UUID.randomUUID().toString();
      accepted += caller.send(key, email(key + "@example.com")).statusCode() == 202 ? 1 : 0;
    }
    return accepted;
  }

  private Process start(String heap, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+ExitOnOutOfMemoryError",
                "-jar",
                Path.of("target", "email-stub.jar").toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private int port(Process stub) {
    await().atMost(Duration.ofSeconds(30)).until(() -> output().contains("\n") || !stub.isAlive());
    Matcher address = ADDRESS.matcher(output());
    assertThat(address.find()).as(output()).isTrue();
    return Integer.parseInt(address.group(1));
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
