package id.kabar.notification.email;

/**
 * The provider may be asked again, but there is no event to ask with: one dead letter that is sent
 * again would tell. Published every few seconds until somebody has asked.
 */
public record ProbeWanted() {}
