package id.kabar.emailstub;

import static java.util.Objects.requireNonNullElse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a stub is started; an argument wins over its environment variable.
 *
 * @param port where it listens; 0 takes any free port and says which
 * @param address the address of this machine it listens on
 * @param keyWindow how long an Idempotency-Key is remembered
 * @param ignoreKeys whether it delivers every call anew, like a provider without idempotency
 * @param journal the file by which a killed stub remembers its keys; null: it forgets them
 * @param help whether only the help was asked for
 */
record StubSettings(
    int port,
    String address,
    Duration keyWindow,
    boolean ignoreKeys,
    @Nullable Path journal,
    boolean help) {

  static final String HELP =
      """
      email-stub stands in for the email provider: it takes emails at POST /v1/messages and sends none.

      java -jar email-stub.jar [--port PORT] [--address ADDRESS]

        --port PORT           where it listens, 0 for any free port   (EMAIL_STUB_PORT, 8089)
        --address ADDRESS     0.0.0.0 for all of this machine's       (EMAIL_STUB_ADDRESS, 127.0.0.1)
        --help                this text

      By environment only:
        EMAIL_STUB_KEY_WINDOW   how long an Idempotency-Key is remembered, ISO 8601   (PT24H)
        EMAIL_STUB_IGNORE_KEYS  true: deliver every call anew, whatever its key       (false)
        EMAIL_STUB_JOURNAL      a file: what it accepted is known after a kill, too   (none)
      """;

  private static final int MOST_KEYS = 1_000_000;

  /** Measured with a UUID as key; a test holds the inbox to it. */
  static final int BYTES_PER_KEY = 260;

  /** Half of the heap may be spent on keys, so that no number of emails exhausts it. */
  static int keysThatFit() {
    return (int) Math.min(MOST_KEYS, Runtime.getRuntime().maxMemory() / 2 / BYTES_PER_KEY);
  }

  static StubSettings of(String[] args, Map<String, String> environment) {
    Map<String, String> given = new HashMap<>(environment);
    boolean help = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--port" -> given.put("EMAIL_STUB_PORT", valueAfter(args, i++));
        case "--address" -> given.put("EMAIL_STUB_ADDRESS", valueAfter(args, i++));
        case "--help", "-h" -> help = true;
        default ->
            throw new Invalid("does not know %s; --help shows what it knows".formatted(args[i]));
      }
    }
    return new StubSettings(
        port(given.get("EMAIL_STUB_PORT")),
        requireNonNullElse(given.get("EMAIL_STUB_ADDRESS"), "127.0.0.1"),
        keyWindow(given.get("EMAIL_STUB_KEY_WINDOW")),
        ignoreKeys(given.get("EMAIL_STUB_IGNORE_KEYS")),
        journal(given.get("EMAIL_STUB_JOURNAL")),
        help);
  }

  /** The host by which this machine reaches the stub. */
  String hostForUrl() {
    return switch (address) {
      case "0.0.0.0", "::" -> "localhost";
      default -> address.contains(":") ? "[" + address + "]" : address;
    };
  }

  private static String valueAfter(String[] args, int option) {
    if (option + 1 == args.length) {
      throw new Invalid("%s needs a value; --help shows how".formatted(args[option]));
    }
    return args[option + 1];
  }

  private static int port(@Nullable String text) {
    if (text == null) {
      return 8089;
    }
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65535) {
      throw new Invalid("the port must be a number from 0 to 65535, not '%s'".formatted(text));
    }
    return Integer.parseInt(text);
  }

  private static Duration keyWindow(@Nullable String text) {
    if (text == null) {
      return Duration.ofHours(24);
    }
    try {
      Duration window = Duration.parse(text);
      if (window.isPositive()) {
        return window;
      }
    } catch (DateTimeException e) {
      throw invalidWindow(text);
    }
    throw invalidWindow(text);
  }

  private static Invalid invalidWindow(String text) {
    return new Invalid(
        "EMAIL_STUB_KEY_WINDOW must be a positive ISO 8601 duration such as PT24H, not '%s'"
            .formatted(text));
  }

  private static boolean ignoreKeys(@Nullable String text) {
    return switch (requireNonNullElse(text, "false")) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new Invalid(
              "EMAIL_STUB_IGNORE_KEYS must be true or false, not '%s'".formatted(text));
    };
  }

  private static @Nullable Path journal(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Path file = Path.of(text).toAbsolutePath();
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
      throw new Invalid(
          "EMAIL_STUB_JOURNAL must be a file in a folder that exists, not '%s'".formatted(text));
    }
    return file;
  }

  /** A setting that cannot be; the message says what would be right. */
  static class Invalid extends RuntimeException {

    private Invalid(String message) {
      super(message);
    }
  }
}
