package id.kabar.relay;

import static id.kabar.relay.OperatorProblems.problem;

import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What an operator can see of the outbox, and the switch for all its relays. */
@RestController
@RequestMapping("/outbox")
class OperatorController {

  private static final Logger log = LoggerFactory.getLogger(OperatorController.class);

  /**
   * The outbox: what takes long to know as it was when last measured, the rest as it is.
   *
   * @param due of the first 1,000 events of each bucket, those that could be published now
   * @param relays with sessions on this outbox, of all replicas
   * @param workers database sessions that publish, of all relays
   * @param paused null while the relays may publish
   * @param doorbell whether this relay hears it
   */
  record Status(
      long pending,
      long due,
      long parked,
      long oldestDueSeconds,
      int relays,
      int workers,
      MainSwitch.@Nullable Pause paused,
      String doorbell,
      @Nullable Integer archiveDaysAhead,
      int replays,
      List<MainSwitch.Bucket> buckets) {}

  /** Why all relays are stopped, or let go on. */
  record Reason(@Nullable String reason) {}

  /**
   * How the switch stands.
   *
   * @param changed whether it stood otherwise before
   */
  record Switched(boolean paused, boolean changed) {}

  private final MainSwitch mainSwitch;
  private final RelayMetrics metrics;
  private final RelaySettings settings;

  OperatorController(MainSwitch mainSwitch, RelayMetrics metrics, RelaySettings settings) {
    this.mainSwitch = mainSwitch;
    this.metrics = metrics;
    this.settings = settings;
  }

  @GetMapping
  Status status() {
    Depth depth = metrics.depth();
    Surroundings surroundings = metrics.surroundings();
    MainSwitch.Alive alive = mainSwitch.alive();
    List<MainSwitch.Bucket> buckets = mainSwitch.buckets();
    long near = buckets.stream().mapToLong(MainSwitch.Bucket::pending).sum();
    return new Status(
        Math.max(near, depth.pending() > near && near >= 1000 ? depth.pending() : near),
        buckets.stream().mapToLong(MainSwitch.Bucket::due).sum(),
        buckets.stream().mapToLong(MainSwitch.Bucket::parked).sum(),
        buckets.stream().mapToLong(MainSwitch.Bucket::oldestDueSeconds).max().orElse(0),
        alive.relays(),
        alive.workers(),
        mainSwitch.paused(),
        settings.doorbell().enabled() ? (metrics.deaf() ? "deaf" : "hears") : "off",
        surroundings == null ? null : surroundings.archiveDaysAhead(),
        depth.replays(),
        buckets.stream().filter(bucket -> bucket.pending() > 0).toList());
  }

  /** Answers when no relay publishes any more. */
  @PostMapping("/pause")
  Switched pause(@RequestBody Reason why, Principal operator) {
    String reason = why.reason();
    if (reason == null || reason.isBlank()) {
      throw problem(
          HttpStatus.BAD_REQUEST,
          "reason-missing",
          "Others will ask why nothing is sent: give a reason");
    }
    boolean changed = mainSwitch.pause(operator.getName(), reason);
    log.warn("Operator {}: all relays are paused: {}", operator.getName(), reason);
    return new Switched(true, changed);
  }

  @PostMapping("/resume")
  Switched resume(@RequestBody(required = false) @Nullable Reason why, Principal operator) {
    boolean changed = mainSwitch.resume(operator.getName(), why == null ? null : why.reason());
    log.info("Operator {}: the relays go on", operator.getName());
    return new Switched(false, changed);
  }
}
