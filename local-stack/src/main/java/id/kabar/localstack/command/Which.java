package id.kabar.localstack.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.net.URLEncoder;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters a command is about; what is left out does not restrict. */
final class Which {

  @Option(names = "--cause", paramLabel = "CAUSE", description = "Only those of this cause.")
  private @Nullable String cause;

  @Option(names = "--order", paramLabel = "ID", description = "Only those of this order.")
  private @Nullable String order;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only those that failed since then (2026-11-30T12:00:00Z).")
  private @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Only those that failed before then.")
  private @Nullable Instant until;

  /** As the service wants to be asked. */
  Map<String, Object> filter() {
    Map<String, Object> filter = new LinkedHashMap<>();
    put(filter, "cause", cause);
    put(filter, "orderId", order);
    put(filter, "since", since);
    put(filter, "until", until);
    return filter;
  }

  private static void put(Map<String, Object> filter, String name, @Nullable Object value) {
    if (value != null) {
      filter.put(name, value.toString());
    }
  }

  /** The same as the end of an address. */
  static String query(Map<String, Object> parameters) {
    return parameters.entrySet().stream()
        .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue().toString(), UTF_8))
        .collect(joining("&", "?", ""));
  }
}
