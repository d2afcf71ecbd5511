package id.kabar.notification.email;

import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The email provider.
 *
 * @param url of the provider; messages go to {@code /v1/messages} below it
 * @param from the sender's address
 * @param connectTimeout how long a connection may take
 * @param deadline how long one call may take in all, the last byte of the answer included
 * @param keyWindow how long the provider remembers an {@code Idempotency-Key}; past it, a call
 *     whose outcome is unknown is never repeated blindly
 * @param rateLimit calls a second that all instances together may make; 0 for no limit
 */
@ConfigurationProperties("email")
public record EmailSettings(
    @DefaultValue("http://localhost:8089") URI url,
    @DefaultValue("no-reply@kabar.id") String from,
    @DefaultValue("2s") Duration connectTimeout,
    @DefaultValue("3s") Duration deadline,
    @DefaultValue("24h") Duration keyWindow,
    @DefaultValue("0") int rateLimit) {

  boolean limited() {
    return rateLimit > 0;
  }

  Duration betweenCalls() {
    return Duration.ofSeconds(1).dividedBy(rateLimit);
  }
}
