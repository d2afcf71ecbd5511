package id.kabar.notification.ledger;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Letters that are sent again one after the other.
 *
 * @param waitsFor what keeps it from going on; null while nothing does
 * @param endedBy who cancelled it; null if it came to its own end
 */
public record ReplayJob(
    long id,
    Kind kind,
    Request request,
    State state,
    Progress progress,
    @Nullable String waitsFor,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable String endedBy) {

  /** Who wants it. */
  public enum Kind {
    /** A person. */
    OPERATOR,
    /** Nobody: the provider is back, and these letters were in its way only. */
    REDRIVE
  }

  /** Where it stands. */
  public enum State {
    RUNNING,
    DONE,
    CANCELLED
  }

  /**
   * What was asked for.
   *
   * @param filter which letters, in words
   * @param perSecond letters at most, over all instances
   */
  public record Request(String by, @Nullable String reason, String filter, int perSecond) {}

  /** How many letters it has, and what became of them so far. */
  public record Progress(int letters, int replayed, int refused) {

    /** How many it has not come to. */
    public int waiting() {
      return letters - replayed - refused;
    }
  }

  /** One of its letters. */
  public record Item(int position, long letterId) {}

  /** A letter it left where it is. */
  public record Refused(long letterId, String refusal) {}

  /** The job whose turn it is, and how long until then. */
  public record Due(ReplayJob job, Duration in) {}
}
