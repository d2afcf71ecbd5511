package id.kabar.notification.email;

import java.time.Instant;

/**
 * An outage is over: this instance calls the provider again, and what was dead-lettered as {@code
 * PROVIDER_UNAVAILABLE} may be sent again. Published to this instance only, on the thread that
 * found out: a listener must return at once. An outage that ends with a restart is not told.
 *
 * @param outageSince when it began
 */
public record ProviderTrusted(Instant outageSince) {}
