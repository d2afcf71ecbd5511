package id.kabar.localstack.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** An operator's last word on emails, on a terminal. */
class NotificationsTest {

  @TempDir Path data;

  @Test
  void everyOrderIsThere() {
    assertThat(Kabar.commandLine().getSubcommands().get("notifications").getSubcommands().keySet())
        .containsExactlyInAnyOrder("status", "pause", "resume", "force");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "force"})
  void anOrderNeedsAReason(String order) {
    CommandRun run = CommandRun.kabar(data, 0, "notifications", order);
    assertThat(run.code()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(run.errors()).contains("--reason");
  }

  @Test
  void withoutAStackItIsSaidHowToStartOne() {
    assertThat(CommandRun.kabar(data, 0, "notifications", "status", "--on", "local").code())
        .isEqualTo(Kabar.NOT_RUNNING);
  }

  @ParameterizedTest
  @CsvSource({
    "status, GET /provider",
    "pause, POST /provider/pause {\"reason\":\"they move\"}",
    "resume, POST /provider/resume {\"reason\":\"they move\"}",
    "force, POST /provider/force {\"reason\":\"they move\"}"
  })
  void anOrderIsWhatTheServiceIsAsked(String order, String request) throws IOException {
    List<String> requests = new ArrayList<>();
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/",
        exchange -> {
          requests.add(
              "%s %s %s"
                  .formatted(
                      exchange.getRequestMethod(),
                      exchange.getRequestURI(),
                      new String(exchange.getRequestBody().readAllBytes(), UTF_8))
                  .strip());
          // operator:secret
          boolean known =
              "Basic b3BlcmF0b3I6c2VjcmV0"
                  .equals(exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(known ? 200 : 401, 2);
          exchange.getResponseBody().write("{}".getBytes(UTF_8));
          exchange.close();
        });
    service.start();
    try {
      var command = Kabar.commandLine().getSubcommands().get("notifications");
      var asked = (Notifications.AtService) command.getSubcommands().get(order).getCommand();
      new CommandLine(asked)
          .parseArgs(order.equals("status") ? new String[0] : new String[] {"--reason=they move"});
      asked.ask(
          new ManagementPort(
              URI.create("http://127.0.0.1:" + service.getAddress().getPort()), "secret"));
    } finally {
      service.stop(0);
    }
    assertThat(requests).containsExactly(request);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"gate":"OPEN","manual":"AUTOMATIC"} | Emails are sent.
          {"gate":"SHUT","manual":"PAUSED","manualBy":"dewi","manualReason":"they move"} | Emails wait by order of dewi: they move
          {"gate":"OPEN","manual":"FORCED","manualBy":"dewi","manualReason":"it works"} | The provider is called whatever the circuit breaker says, by order of dewi: it works
          {"gate":"SHUT","manual":"AUTOMATIC","reason":"OUTAGE","since":"2026-11-30T12:00:00Z"} | Emails wait since 2026-11-30T12:00:00Z: the provider fails.
          {"gate":"PROBE","manual":"AUTOMATIC","reason":"OUTAGE","since":"2026-11-30T12:00:00Z"} | Emails wait since 2026-11-30T12:00:00Z: one of them finds out whether the provider is back.
          {"gate":"SHUT","manual":"AUTOMATIC","reason":"THROTTLED","since":"2026-11-30T12:00:00Z","throttledMillis":4100} | Emails wait since 2026-11-30T12:00:00Z: the provider asked for a pause, 4 s more.
          {"gate":"SHUT","manual":"AUTOMATIC","reason":"OUTAGE","givingUp":true,"since":"2026-11-30T12:00:00Z"} | The provider has been away since 2026-11-30T12:00:00Z, longer than events wait: they are dead-lettered without a call, and sent again once it is back.
          """)
  void theStateIsASentence(String provider, String sentence) {
    assertThat(printed(provider).strip()).isEqualTo(sentence);
  }

  @Test
  void theLatestOrdersAreListedWithTheirReasons() {
    assertThat(
            printed(
                    """
                {"gate":"OPEN","manual":"AUTOMATIC","orders":[
                  {"at":"2026-11-30T12:00:00Z","operator":"dewi","manual":"PAUSED","reason":"they move"}]}
                """)
                .lines()
                .toList()
                .get(2))
        .isEqualTo("2026-11-30T12:00:00Z        dewi            PAUSED     they move");
  }

  private static String printed(String provider) {
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, UTF_8);
    NotificationsReport.provider(
        JsonMapper.shared().readTree(provider), new Terminal(stream, stream));
    return out.toString(UTF_8);
  }
}
