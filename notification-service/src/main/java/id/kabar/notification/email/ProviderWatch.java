package id.kabar.notification.email;

import id.kabar.notification.ledger.ProviderStates;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Looks every second at what operators and other instances say of the provider. */
@Component
class ProviderWatch {

  private final ProviderStates providers;
  private final ProviderTrust trust;

  ProviderWatch(ProviderStates providers, ProviderTrust trust) {
    this.providers = providers;
    this.trust = trust;
  }

  @Scheduled(fixedDelay = 1_000)
  void look() {
    try {
      trust.learn(providers.read());
    } catch (DataAccessException e) {
      // nothing new is known, and nothing is claimed meanwhile; the listener tells that it waits
      return;
    }
  }
}
