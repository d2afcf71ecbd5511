package id.kabar.localstack.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.site.Site;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The operator in front of notification-service's dead letters. */
final class Operator {

  private static final int LARGEST_PAGE = 500;

  private static final String LETTERS = "/dead-letters";

  private final ManagementPort notifications;

  Operator(Site site) {
    this.notifications = new ManagementPort(site.notifications(), site.operatorPassword());
  }

  record Letter(long id, String cause) {}

  /** Open letters of failures since then, the latest first, at most a page of them. */
  List<Letter> open(@Nullable Instant since, @Nullable String cause) {
    StringBuilder query = new StringBuilder("?state=OPEN&limit=" + LARGEST_PAGE);
    if (since != null) {
      query.append("&since=").append(URLEncoder.encode(since.toString(), UTF_8));
    }
    if (cause != null) {
      query.append("&cause=").append(URLEncoder.encode(cause, UTF_8));
    }
    return get(query.toString())
        .required("letters")
        .valueStream()
        .map(each -> new Letter(each.required("id").asLong(), each.required("cause").asString()))
        .toList();
  }

  /** Has open letters sent again, in the background; how many of them are. */
  int replay(@Nullable Instant since) {
    Map<String, Object> filter = new HashMap<>();
    if (since != null) {
      filter.put("since", since.toString());
    }
    return post("/replay", filter).path("job").path("letters").asInt(0);
  }

  /** Asks for something of the dead letters. */
  JsonNode get(String path) {
    return notifications.get(LETTERS + path);
  }

  /** Has something done with the dead letters. */
  JsonNode post(String path, Object request) {
    return notifications.post(LETTERS + path, request);
  }

  void discard(Letter letter, String reason) {
    post("/%d/discard".formatted(letter.id()), Map.of("reason", reason));
  }
}
