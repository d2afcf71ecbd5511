package id.kabar.orders.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.orders.api.BufferedRequest;
import id.kabar.orders.api.InvalidField;
import id.kabar.orders.api.InvalidRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A request and the key its client gave it. The fingerprint tells it from other requests under the
 * same key.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by MessageDigest
record KeyedRequest(String key, byte[] fingerprint) {

  static final String HEADER = "Idempotency-Key";

  private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

  static KeyedRequest of(HttpServletRequest request) {
    List<String> keys = Collections.list(request.getHeaders(HEADER));
    if (keys.size() != 1 || !KEY.matcher(keys.getFirst()).matches()) {
      throw new InvalidRequest(
          List.of(
              new InvalidField(
                  HEADER, "must be given once, with 1 to 255 visible ASCII characters")));
    }
    return new KeyedRequest(keys.getFirst(), fingerprint(request));
  }

  boolean isThatOf(StoredAnswer answer) {
    return MessageDigest.isEqual(fingerprint, answer.fingerprint());
  }

  private static byte[] fingerprint(HttpServletRequest request) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      String line =
          "%s %s?%s\n"
              .formatted(request.getMethod(), request.getRequestURI(), request.getQueryString());
      digest.update(line.getBytes(UTF_8));
      return digest.digest(BufferedRequest.bodyOf(request));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
