package id.kabar.notification.ledger;

import static id.kabar.notification.ledger.ProcessedEventSql.*;

import id.kabar.notification.ledger.Claim.AlreadySent;
import id.kabar.notification.ledger.Claim.Claimed;
import id.kabar.notification.ledger.Claim.Held;
import id.kabar.notification.ledger.Claim.Spared;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Knows of every event whether its email was sent, and lets one owner at a time try. Each step is
 * one statement in its own transaction: none is open while the provider is called.
 */
@Repository
public class ProcessedEvents {

  private final JdbcClient jdbc;
  private final LedgerSettings settings;
  private final Instance instance;

  ProcessedEvents(JdbcClient jdbc, LedgerSettings settings, Instance instance) {
    this.jdbc = jdbc;
    this.settings = settings;
    this.instance = instance;
  }

  /**
   * Claims an event for one delivery.
   *
   * @param keyWindow how long the provider remembers the key of an attempt
   */
  public Claim claim(UUID eventId, UUID orderId, Duration keyWindow) {
    return claim(eventId, orderId, keyWindow, true);
  }

  /** Claims an event to give it up: it does not matter whether the provider may be called. */
  public Claim claimToGiveUp(UUID eventId, UUID orderId, Duration keyWindow) {
    return claim(eventId, orderId, keyWindow, false);
  }

  private Claim claim(UUID eventId, UUID orderId, Duration keyWindow, boolean toCall) {
    String owner = instance.newClaim();
    return jdbc.sql(CLAIM)
        .param("eventId", eventId)
        .param("orderId", orderId)
        .param("owner", owner)
        .param("lifetime", interval(settings.claimLifetime()))
        .param("keyWindow", interval(keyWindow))
        .param("toCall", toCall)
        .query(
            (row, n) ->
                (Claim)
                    new Claimed(
                        eventId,
                        owner,
                        row.getObject("unknown_since", OffsetDateTime.class),
                        row.getBoolean("key_window_over")))
        .optional()
        .orElseGet(() -> whyNot(eventId));
  }

  private Claim whyNot(UUID eventId) {
    return jdbc.sql(WHY_NOT)
        .param("eventId", eventId)
        .query(
            (row, n) -> {
              if (row.getBoolean("sent")) {
                return new AlreadySent();
              }
              if (row.getBoolean("held")) {
                return new Held(Duration.ofMillis(Math.max(0, row.getLong("remaining"))));
              }
              // or it was released, or pruned, in between: the next claim tells
              return (Claim) new Spared(ProviderStates.state(row));
            })
        .single();
  }

  /**
   * Records that the provider accepted the message.
   *
   * @param letter the dead letter this delivery replays, if it is one
   * @return false if the claim has gone to somebody else, who will find out the same
   */
  public boolean finish(Claimed claim, String messageId, @Nullable String letter) {
    return jdbc.sql(FINISH)
            .param("eventId", claim.eventId())
            .param("owner", claim.owner())
            .param("messageId", messageId)
            .param("letter", letter)
            .query(Integer.class)
            .single()
        == 1;
  }

  /**
   * Gives up a claim after a failed attempt, and remembers the attempt.
   *
   * @return nothing if the claim has gone to somebody else
   */
  public Optional<FailedAttempts> release(Claimed claim, AttemptFailure failure) {
    return jdbc.sql(RELEASE)
        .param("eventId", claim.eventId())
        .param("owner", claim.owner())
        .param("cause", failure.cause().name())
        .param("why", failure.detail())
        .param("status", failure.providerStatus())
        .param("unknown", failure.outcomeUnknown())
        .param("kept", Attempts.KEPT)
        .param("unknownBefore", claim.unknownSince())
        .query((row, n) -> failedAttempts(row))
        .optional();
  }

  /** Gives up a claim under which nothing was tried. */
  public void giveBack(Claimed claim) {
    jdbc.sql(GIVE_BACK)
        .param("eventId", claim.eventId())
        .param("owner", claim.owner())
        .param("unknownBefore", claim.unknownSince())
        .update();
  }

  private static FailedAttempts failedAttempts(ResultSet row) throws SQLException {
    return new FailedAttempts(
        row.getInt("attempts"),
        row.getObject("first_failed_at", OffsetDateTime.class).toInstant(),
        row.getObject("last_failed_at", OffsetDateTime.class).toInstant());
  }

  /** Forgets one batch of what is past its retention; returns how many. */
  int prune() {
    return jdbc.sql(PRUNE)
        .param("retention", interval(settings.retention()))
        .param("batch", settings.pruneBatch())
        .update();
  }

  static String interval(Duration duration) {
    return duration.toMillis() + " milliseconds";
  }
}
