package id.kabar.orders.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How events are taken.
 *
 * @param maxPayload the largest payload with its headers; keep it below the topic's
 *     max.message.bytes, 1 MB by default
 * @param doorbell how the relay is told that there is work
 */
@ConfigurationProperties("outbox")
record OutboxSettings(
    @DefaultValue("900KB") DataSize maxPayload, @DefaultValue DoorbellSettings doorbell) {

  OutboxSettings {
    if (maxPayload.toBytes() < 1) {
      throw new IllegalArgumentException("outbox.max-payload must be positive, such as 900KB");
    }
  }

  /**
   * The doorbell saves the relay waiting; without it, the relay's poll finds the events.
   *
   * @param enabled false: nobody is rung
   * @param pause the least time between two rings
   * @param firstRetry the wait after the bell's connection is lost; it doubles up to {@code
   *     lastRetry}
   * @param lastRetry the longest wait
   */
  record DoorbellSettings(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("2ms") Duration pause,
      @DefaultValue("100ms") Duration firstRetry,
      @DefaultValue("5s") Duration lastRetry) {

    DoorbellSettings {
      if (pause.isNegative() || !firstRetry.isPositive() || lastRetry.compareTo(firstRetry) < 0) {
        throw new IllegalArgumentException(
            "outbox.doorbell: pause must not be negative, first-retry must be positive and at most last-retry");
      }
    }
  }
}
