package id.kabar.emailstub;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Delivers each email once per key and body. Bounded: it keeps the latest messages in full, and of
 * every key only its history, the oldest making room for the newest.
 */
class Inbox {

  static final int MESSAGES_KEPT = 1_000;
  static final int CHARACTERS_KEPT = 8_000_000;

  private final Clock clock;
  private final Duration keyWindow;
  private final boolean ignoreKeys;
  private final int keysKept;

  private final Journal journal;

  private final SequencedMap<String, KeyHistory> histories = new LinkedHashMap<>();
  private final SequencedMap<Long, Message> messages = new LinkedHashMap<>();
  private final Set<String> inFlight = new HashSet<>();
  private int charactersKept;
  private long messageNumber;
  private long accepted;
  private long repeated;
  private long refused;

  /**
   * @param journal what is known of an earlier life; messages in full are not
   */
  Inbox(Clock clock, Duration keyWindow, boolean ignoreKeys, int keysKept, Journal journal) {
    this.clock = clock;
    this.keyWindow = keyWindow;
    this.ignoreKeys = ignoreKeys;
    this.keysKept = keysKept;
    this.journal = journal;
    journal.forEach(
        (key, history) -> {
          accepted++;
          messageNumber = history.message();
          remember(key, history);
        });
  }

  /**
   * Decides on an email; a new one is delivered after the time that processing takes, and until
   * then its key is in flight.
   */
  Verdict receive(@Nullable String key, Email email, Sha256 body, Duration processing)
      throws InterruptedException {
    if (key == null || ignoreKeys) {
      Thread.sleep(processing);
      return deliver(key, email, body);
    }
    Verdict known = begin(key, body);
    if (known != null) {
      return known;
    }
    try {
      Thread.sleep(processing);
      return deliver(key, email, body);
    } finally {
      end(key);
    }
  }

  /** A call was answered with an error, by a fault or by a rule. */
  synchronized void refuse() {
    refused++;
  }

  synchronized void clear() {
    histories.clear();
    messages.clear();
    charactersKept = 0;
    accepted = 0;
    repeated = 0;
    refused = 0;
    journal.clear();
  }

  /** What is in the inbox; null keys and addresses stand for all. Messages come newest first. */
  synchronized Contents contents(@Nullable String key, @Nullable String address, int limit) {
    List<Message> found = new ArrayList<>();
    long withoutKey = 0;
    for (Message message : messages.reversed().values()) {
      if ((key == null || key.equals(message.key()))
          && (address == null || address.equalsIgnoreCase(message.to()))) {
        withoutKey += message.key() == null ? 1 : 0;
        if (found.size() < limit) {
          found.add(message);
        }
      }
    }
    if (key == null && address == null) {
      return new Contents(accepted, repeated, refused, histories.size(), found);
    }
    long acceptedThere = withoutKey;
    long repeatedThere = 0;
    List<KeyHistory> historiesThere = historiesOf(key, address);
    for (KeyHistory history : historiesThere) {
      acceptedThere += history.accepted();
      repeatedThere += history.repeated();
    }
    return new Contents(acceptedThere, repeatedThere, refused, historiesThere.size(), found);
  }

  /** Shows the histories of keys, oldest first, from the one after the given key on. */
  synchronized void forEachKey(
      @Nullable String after, int limit, BiConsumer<String, KeyHistory> reader) {
    if (after != null && !histories.containsKey(after)) {
      throw new BadRequest("'after' must be a key of this inbox.");
    }
    boolean reached = after == null;
    int shown = 0;
    for (Map.Entry<String, KeyHistory> entry : histories.entrySet()) {
      if (reached && shown++ < limit) {
        reader.accept(entry.getKey(), entry.getValue());
      }
      reached |= entry.getKey().equals(after);
    }
  }

  private synchronized @Nullable Verdict begin(String key, Sha256 body) {
    KeyHistory history = histories.get(key);
    if (history != null && isWithinWindow(history)) {
      return decide(key, history, body);
    }
    return inFlight.add(key) ? null : new Verdict.InFlight();
  }

  private Verdict decide(String key, KeyHistory history, Sha256 body) {
    if (!history.body().equals(body)) {
      return new Verdict.KeyReused();
    }
    repeated++;
    histories.put(key, history.repeatedOnceMore());
    messages.computeIfPresent(history.message(), (number, message) -> message.repeated());
    return new Verdict.Repeated(id(history.message()));
  }

  private synchronized void end(String key) {
    inFlight.remove(key);
  }

  private synchronized Verdict deliver(@Nullable String key, Email email, Sha256 body) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    accepted++;
    messageNumber++;
    if (key != null) {
      KeyHistory history =
          new KeyHistory(
              messageNumber, now.toEpochMilli(), Sha256.ofAddress(email.to()), body, 1, 0);
      journal.delivered(key, history);
      remember(key, history);
    }
    keep(messageNumber, Message.of(key, id(messageNumber), email, now));
    return new Verdict.Accepted(id(messageNumber));
  }

  private void remember(String key, KeyHistory history) {
    KeyHistory earlier = histories.remove(key);
    histories.put(key, earlier == null ? history : history.after(earlier));
    if (histories.size() > keysKept) {
      histories.pollFirstEntry();
    }
  }

  private void keep(long number, Message message) {
    messages.put(number, message);
    charactersKept += message.length();
    while (messages.size() > MESSAGES_KEPT || charactersKept > CHARACTERS_KEPT) {
      charactersKept -= messages.pollFirstEntry().getValue().length();
    }
  }

  private List<KeyHistory> historiesOf(@Nullable String key, @Nullable String address) {
    Stream<KeyHistory> asked =
        key == null ? histories.values().stream() : Stream.ofNullable(histories.get(key));
    if (address == null) {
      return asked.toList();
    }
    long hash = Sha256.ofAddress(address);
    return asked.filter(history -> history.address() == hash).toList();
  }

  private boolean isWithinWindow(KeyHistory history) {
    Duration age = Duration.ofMillis(clock.millis() - history.acceptedAt());
    return age.compareTo(keyWindow) < 0;
  }

  private String id(long number) {
    return journal.run() + "-" + number;
  }

  /**
   * What is in the inbox, or in the asked-for part of it.
   *
   * @param accepted emails delivered
   * @param repeated calls answered as before, without delivering again
   * @param refused calls answered with an error, by a fault or by a rule; always of all
   * @param keys keys known
   * @param messages the latest in full, newest first
   */
  record Contents(long accepted, long repeated, long refused, int keys, List<Message> messages) {}
}
