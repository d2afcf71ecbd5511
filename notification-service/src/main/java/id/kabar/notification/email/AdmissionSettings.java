package id.kabar.notification.email;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much may be on its way to the provider, and how long it is waited for.
 *
 * @param inFlight records being claimed, called for, or finished at the same time, per instance
 */
@ConfigurationProperties("notification")
public record AdmissionSettings(@DefaultValue("64") int inFlight, @DefaultValue Outage outage) {

  /**
   * While the provider is down.
   *
   * @param hold how long events wait, from the first sign of the outage; later they are
   *     dead-lettered without a call, and sent again once the provider is back. {@code forever}
   *     keeps them waiting
   */
  public record Outage(@DefaultValue("60s") Hold hold) {}
}
