package id.kabar.systemtests;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The email provider's inbox and the switches of its stub. */
final class Provider {

  private final String url;

  Provider(String url) {
    this.url = url;
  }

  /** What happened under one key. */
  record Delivery(int accepted, int repeated, List<JsonNode> messages) {

    static final Delivery ONE_EMAIL = new Delivery(1, 0, List.of());

    /** Without the texts, for comparison. */
    Delivery counts() {
      return new Delivery(accepted, repeated, List.of());
    }
  }

  Delivery delivered(String eventId) {
    JsonNode inbox = inbox("?key=" + encoded(eventId));
    return new Delivery(
        inbox.required("accepted").asInt(),
        inbox.required("repeated").asInt(),
        inbox.required("messages").valueStream().toList());
  }

  int accepted(String eventId) {
    return inbox("?countsOnly=true&key=" + encoded(eventId)).required("accepted").asInt();
  }

  /** Emails accepted by this address, over all keys. */
  int acceptedFor(String address) {
    return inbox("?countsOnly=true&address=" + encoded(address)).required("accepted").asInt();
  }

  int acceptedInAll() {
    return inbox("?countsOnly=true").required("accepted").asInt();
  }

  /** Calls answered with an error since the stub began. */
  int refused() {
    return inbox("?countsOnly=true").required("refused").asInt();
  }

  /**
   * @param fault JSON, as the stub's README describes it
   */
  void breaks(String fault) {
    Http.send("PUT", url + "/__admin/faults", fault).expect(200);
  }

  void works() {
    Http.send("DELETE", url + "/__admin/faults", "").expect(204);
  }

  private JsonNode inbox(String query) {
    return Http.get(url + "/__admin/inbox" + query).expect(200).json();
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
