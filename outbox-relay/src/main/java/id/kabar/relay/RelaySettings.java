package id.kabar.relay;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How this relay works; every value has a default that suits one or two replicas.
 *
 * @param routes the topic of each event type; letter case of the type does not matter, so that an
 *     environment variable can add one
 * @param workers threads that publish, each with a database session and a producer of its own
 * @param buckets how many of the 64 buckets a worker may hold at once: about 64 / (2 × workers of
 *     all replicas), at least 4
 * @param attempts how often an event may be refused before it is parked
 * @param batch how much one round takes
 * @param timeouts how long anything may take
 * @param poll how soon to look again when there is no work
 * @param doorbell whether to be woken by the services that write events
 * @param topics how absent topics are made
 * @param archive what is kept of a published event
 * @param replay how published events are sent again
 * @param health when this relay calls itself unwell
 */
@ConfigurationProperties("relay")
record RelaySettings(
    @DefaultValue Map<String, String> routes,
    @DefaultValue("2") int workers,
    @DefaultValue("8") int buckets,
    @DefaultValue("5") int attempts,
    @DefaultValue Batch batch,
    @DefaultValue Timeouts timeouts,
    @DefaultValue Poll poll,
    @DefaultValue Doorbell doorbell,
    @DefaultValue Topics topics,
    @DefaultValue Archive archive,
    @DefaultValue Replay replay,
    @DefaultValue Health health) {

  RelaySettings {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(routes);
    routes = anyCase;
    require(workers >= 1 && workers <= 64, "relay.workers", workers, "1 to 64");
    require(buckets >= 1 && buckets <= 64, "relay.buckets", buckets, "1 to 64");
    require(attempts >= 1, "relay.attempts", attempts, "1 or more");
  }

  /** The topic of an event type, or null when no route leads anywhere. */
  @Nullable String topicOf(String eventType) {
    return routes.get(eventType);
  }

  /**
   * How much one round takes.
   *
   * @param size events of a round
   * @param maxSize what size grows to while every claim comes back full
   * @param bytes payload of a round, unless a single event is larger
   */
  record Batch(
      @DefaultValue("500") int size,
      @DefaultValue("2000") int maxSize,
      @DefaultValue("1MB") DataSize bytes) {
    Batch {
      require(size >= 1, "relay.batch.size", size, "1 or more");
      require(maxSize >= size, "relay.batch.max-size", maxSize, "at least relay.batch.size");
      require(bytes.toBytes() >= 1024, "relay.batch.bytes", bytes, "1KB or more");
    }
  }

  /**
   * How long anything may take; {@link TimeoutLadder} says how they depend on each other.
   *
   * @param maxBlock for handing one record to the producer
   * @param delivery for the broker's confirmation of a record, retries included
   * @param round for all of a round's confirmations; the locks are held so long at most
   * @param session for a silent transaction before the database ends it: how soon the buckets of a
   *     frozen relay are free again
   * @param statement for one statement of the relay
   * @param stop for finishing what is sent when the service is told to stop
   */
  record Timeouts(
      @DefaultValue("5s") Duration maxBlock,
      @DefaultValue("10s") Duration delivery,
      @DefaultValue("12s") Duration round,
      @DefaultValue("20s") Duration session,
      @DefaultValue("30s") Duration statement,
      @DefaultValue("4s") Duration stop) {}

  /**
   * How soon to look again when there is no work.
   *
   * @param first wait after the last event
   * @param longest wait, reached by doubling
   * @param longestDeaf the same while no doorbell is heard
   */
  record Poll(
      @DefaultValue("20ms") Duration first,
      @DefaultValue("1s") Duration longest,
      @DefaultValue("400ms") Duration longestDeaf) {}

  /**
   * The doorbell that writers ring after their commit.
   *
   * @param enabled false behind a transaction-pooling proxy, which cannot deliver notifications
   * @param test how often the bell is tried, by ringing it
   * @param patience how long its sound may take
   */
  record Doorbell(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("30s") Duration test,
      @DefaultValue("2s") Duration patience) {
    Doorbell {
      require(test.isPositive(), "relay.doorbell.test", test, "more than 0s");
      require(patience.isPositive(), "relay.doorbell.patience", patience, "more than 0s");
    }
  }

  /**
   * How absent topics are made; an existing topic is respected as it is.
   *
   * @param create false where topics are somebody else's business
   * @param partitions of a new topic
   * @param replicationFactor of a new topic
   * @param refresh how often the broker is asked about the topics
   */
  record Topics(
      @DefaultValue("true") boolean create,
      @DefaultValue("3") int partitions,
      @DefaultValue("1") short replicationFactor,
      @DefaultValue("15s") Duration refresh) {}

  /**
   * What is kept of a published event.
   *
   * @param keepPayload whether payload and headers are kept too, so that an event can be sent again
   * @param retention how long; days in full
   * @param daysAhead how many days' partitions are made in advance
   */
  record Archive(
      @DefaultValue("true") boolean keepPayload,
      @DefaultValue("7d") Duration retention,
      @DefaultValue("7") int daysAhead) {
    Archive {
      require(retention.toDays() >= 1, "relay.archive.retention", retention, "1d or more");
      require(
          daysAhead >= 0 && daysAhead <= 366, "relay.archive.days-ahead", daysAhead, "0 to 366");
    }
  }

  /**
   * How published events are sent again when an operator asks.
   *
   * @param perSecond unless the operator says otherwise
   * @param most events of one replay
   */
  record Replay(@DefaultValue("100") int perSecond, @DefaultValue("100000") int most) {
    Replay {
      require(
          perSecond >= 1 && perSecond <= 100_000,
          "relay.replay.per-second",
          perSecond,
          "1 to 100000");
      require(most >= 1, "relay.replay.most", most, "1 or more");
    }
  }

  /**
   * When this relay calls itself unwell.
   *
   * @param stalledAfter due work this old and nothing published for as long
   * @param sample how often the outbox is measured
   */
  record Health(@DefaultValue("60s") Duration stalledAfter, @DefaultValue("5s") Duration sample) {}

  private static void require(boolean holds, String setting, Object value, String allowed) {
    if (!holds) {
      throw new UnusableSettings(setting + " is " + value, "allowed is " + allowed);
    }
  }
}
