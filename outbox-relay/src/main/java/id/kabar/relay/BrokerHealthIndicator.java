package id.kabar.relay;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Down while Kafka accepts nothing; says since when, and why. */
@Component
class BrokerHealthIndicator implements HealthIndicator {

  private final Neighbour broker;
  private final Topics topics;

  BrokerHealthIndicator(Neighbour broker, Topics topics) {
    this.broker = broker;
    this.topics = topics;
  }

  @Override
  public Health health() {
    Neighbour.Silence silence = broker.silence();
    if (silence != null) {
      return Health.down()
          .withDetail("unreachableSince", silence.since())
          .withDetail("reason", silence.reason())
          .build();
    }
    return topics.reachable() ? Health.up().build() : Health.unknown().build();
  }
}
