package id.kabar.benchmarks.outbox;

import java.util.Locale;

/**
 * What the events of a load look like. Event {@code n} has an id and a key that follow from {@code
 * n}, so that its fate can be told from the topic alone.
 *
 * @param bytes of a payload
 * @param keys how many aggregates the events belong to, in turn
 */
record Shape(int bytes, int keys) {

  static final Shape USUAL = new Shape(300, 10_000);

  private static final String START = "{\"eventId\":\"";
  private static final int ID_LENGTH = 36;
  private static final int FRAME = START.length() + ID_LENGTH + "\",\"pad\":\"\"}".length();

  String id(int event) {
    return String.format(Locale.ROOT, "00000000-0000-7000-8000-%012x", event);
  }

  int keyOf(int event) {
    return event % keys;
  }

  String key(int event) {
    return String.format(Locale.ROOT, "%08x-0000-4000-8000-000000000000", keyOf(event));
  }

  String payload(int event, String noise) {
    int start = Math.floorMod(event * 31, noise.length() / 2);
    return START + id(event) + "\",\"pad\":\"" + noise.substring(start, start + pad()) + "\"}";
  }

  int pad() {
    return bytes - FRAME;
  }

  /** Which event a record holds, by the beginning of its value; -1 for none of ours. */
  static int eventOf(byte[] value) {
    int end = START.length() + ID_LENGTH;
    if (value == null || value.length < end) {
      return -1;
    }
    int event = 0;
    for (int i = end - 12; i < end; i++) {
      int digit = Character.digit(value[i], 16);
      if (digit < 0) {
        return -1;
      }
      event = event * 16 + digit;
    }
    return event;
  }

  /** Rows of id, key, payload and number for the events {@code $1} to {@code $2}; $3 is noise. */
  String rows() {
    return """
    select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0')) as id,
      lpad(to_hex(n %% %d), 8, '0') || '-0000-4000-8000-000000000000' as key,
      '{"eventId":"00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0') || '","pad":"'
        || substr(noise, 1 + ((n::bigint * 31) %% (length(noise) / 2))::integer, %d) || '"}' as payload,
      n
    from generate_series(?::integer, ?::integer) n, (select ?::text as noise) given
    order by n
    """
        .formatted(keys, pad());
  }
}
