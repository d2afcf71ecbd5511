package id.kabar.orders.idempotency;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long answers are kept.
 *
 * @param keep how long a key is remembered, by the database's clock
 * @param cleanEvery the wait between two cleanings
 * @param cleanBatch how many forgotten answers one statement deletes
 */
@ConfigurationProperties("orders.idempotency")
record IdempotencySettings(
    @DefaultValue("24h") Duration keep,
    @DefaultValue("10m") Duration cleanEvery,
    @DefaultValue("1000") int cleanBatch) {

  IdempotencySettings {
    if (!keep.isPositive() || !cleanEvery.isPositive() || cleanBatch < 1) {
      throw new IllegalArgumentException(
          "orders.idempotency: keep, clean-every and clean-batch must be positive");
    }
  }
}
