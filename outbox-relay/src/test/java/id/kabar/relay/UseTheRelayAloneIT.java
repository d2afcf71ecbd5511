package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.relay.GivenTopic.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Executes docs/use-the-relay-alone.md. */
class UseTheRelayAloneIT {

  private static final Path DOCS = Path.of("../docs");
  private static final Path MIGRATIONS =
      Path.of("../order-service/src/main/resources/db/migration");

  private final String page = read(DOCS.resolve("use-the-relay-alone.md"));

  @Test
  void schemaFileIsWhatTheMigrationsMake() {
    String migrations =
        Stream.of("V1__outbox.sql", "V10__outbox_operations.sql")
            .map(MIGRATIONS::resolve)
            .map(UseTheRelayAloneIT::read)
            .reduce((one, other) -> one + "\n" + other)
            .orElseThrow()
            .replace("${relay_role}", "outbox_relay");

    assertThat(read(DOCS.resolve("outbox-schema.sql")))
        .as("copy them again after a change, the head of the file stays")
        .endsWith("\n\n" + migrations);
  }

  @Test
  void pageDoesWhatItSays() {
    GivenOutbox shop = GivenOutbox.withoutTables();
    shop.execute(read(DOCS.resolve("outbox-schema.sql")));
    GivenTopic sent = GivenTopic.absent();
    GivenTopic voided = GivenTopic.absent();
    String[] routes =
        block("properties")
            .lines()
            .filter(line -> line.startsWith("RELAY_"))
            .map(line -> line.replace("invoice.sent", sent.name()))
            .map(line -> line.replace("invoice.voided", voided.name()))
            .toArray(String[]::new);
    assertThat(routes).hasSize(2);
    try (RelayProcess relay = RelayProcess.start(shop, routes)) {
      shop.execute(block("sql"));
      shop.append("InvoiceVoided", "invoice-7", "{}");
      await().atMost(Duration.ofMinutes(1)).until(() -> shop.pending() == 0);
      assertThat(relay.isAlive()).isTrue();
    }
    assertThat(voided.ids()).hasSize(1);
    Message message = sent.messages().getFirst();
    List<String> promised = block("text").lines().toList();
    assertThat(promised).hasSize(8);
    for (String line : promised) {
      String[] pair = line.split(" +", 2);
      String actual =
          switch (pair[0]) {
            case "topic" -> "invoice.sent";
            case "key" -> message.key();
            case "value" -> message.value();
            default -> message.headers().get(pair[0]);
          };
      assertThat(actual).as(pair[0]).isEqualTo(pair[1]);
    }
    assertThat(message.headers())
        .containsEntry(
            "ce_id", shop.texts("select id from outbox_archive where position = 1").getFirst())
        .containsKey("ce_time");
  }

  private String block(String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(page)
        .results()
        .findFirst()
        .orElseThrow()
        .group(1);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
