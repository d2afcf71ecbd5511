package id.kabar.relay;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outbox as it was when last measured.
 *
 * @param pending events not yet published, parked ones included; an estimate when there are many
 * @param parked events that wait for an operator; 10,000 stands for that many or more
 * @param oldestDue how long the first due event has waited; zero when there is none
 * @param pausedSince when an operator stopped all relays, or null
 * @param deadRows rows of published events that the server has not cleaned yet, by its own estimate
 * @param replays how many replays are under way
 */
record Depth(
    long pending,
    long parked,
    Duration oldestDue,
    @Nullable Instant pausedSince,
    long deadRows,
    int replays) {

  static final Depth UNKNOWN = new Depth(0, 0, Duration.ZERO, null, 0, 0);
}
