package id.kabar.localstack;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** One GET, to see whether somebody is well. */
final class HttpProbe {

  private static final int PATIENCE_MILLIS = 3_000;

  private HttpProbe() {}

  /** The status code, or 0 where nobody answers. */
  static int get(URI uri) {
    try {
      HttpURLConnection call = (HttpURLConnection) uri.toURL().openConnection();
      call.setConnectTimeout(PATIENCE_MILLIS);
      call.setReadTimeout(PATIENCE_MILLIS);
      try {
        return call.getResponseCode();
      } finally {
        call.disconnect();
      }
    } catch (IOException e) {
      return 0; // not there yet, or not any more
    }
  }
}
