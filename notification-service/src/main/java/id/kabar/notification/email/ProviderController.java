package id.kabar.notification.email;

import id.kabar.notification.ledger.ProviderState;
import id.kabar.notification.ledger.ProviderState.Manual;
import id.kabar.notification.ledger.ProviderStates;
import java.net.URI;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operators' view of the provider, and their last word on whether it is called. */
@RestController
@RequestMapping("/provider")
class ProviderController {

  private static final int LONGEST_REASON = 500;
  private static final int ORDERS_SHOWN = 20;

  private final ProviderStates providers;
  private final ProviderTrust trust;

  ProviderController(ProviderStates providers, ProviderTrust trust) {
    this.providers = providers;
    this.trust = trust;
  }

  /** How things stand, for this instance and for all. */
  record View(
      Trust.Gate gate,
      boolean paused,
      boolean givingUp,
      Trust.@Nullable Reason reason,
      @Nullable Instant since,
      Manual manual,
      @Nullable String manualBy,
      @Nullable String manualReason,
      long throttledMillis,
      List<ProviderStates.Order> orders) {}

  /** Why. */
  record Order(@Nullable String reason) {}

  @GetMapping
  View view() {
    ProviderState state = providers.read();
    trust.learn(state);
    Trust now = trust.now();
    return new View(
        now.gate(),
        now.paused(),
        now.givingUp(),
        now.reason(),
        now.since(),
        state.manual(),
        state.manualBy(),
        state.manualReason(),
        state.throttled().toMillis(),
        providers.orders(ORDERS_SHOWN));
  }

  @PostMapping("/pause")
  View pause(@RequestBody Order order, Principal operator) {
    return give(Manual.PAUSED, order, operator);
  }

  @PostMapping("/resume")
  View resume(@RequestBody Order order, Principal operator) {
    return give(Manual.AUTOMATIC, order, operator);
  }

  @PostMapping("/force")
  View force(@RequestBody Order order, Principal operator) {
    return give(Manual.FORCED, order, operator);
  }

  private View give(Manual manual, Order order, Principal operator) {
    providers.order(manual, operator.getName(), reason(order.reason()));
    return view();
  }

  private static String reason(@Nullable String reason) {
    if (reason == null || reason.isBlank() || reason.length() > LONGEST_REASON) {
      ProblemDetail problem =
          ProblemDetail.forStatusAndDetail(
              HttpStatus.BAD_REQUEST,
              "reason: give a reason of at most %d characters".formatted(LONGEST_REASON));
      problem.setType(URI.create("https://kabar.id/problems/bad-request"));
      throw new ErrorResponseException(HttpStatus.BAD_REQUEST, problem, null);
    }
    return reason.replaceAll("\\p{Cntrl}", " ").strip();
  }
}
