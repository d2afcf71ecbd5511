package id.kabar.notification.email;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands until it is moved. */
final class SettableClock extends Clock {

  private volatile Instant now = Instant.parse("2026-11-30T10:00:00Z");

  synchronized void advanceSeconds(long seconds) {
    now = now.plusSeconds(seconds);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
