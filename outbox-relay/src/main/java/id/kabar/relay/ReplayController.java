package id.kabar.relay;

import static id.kabar.relay.OperatorProblems.problem;

import java.security.Principal;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** How an operator has published events sent again. */
@RestController
@RequestMapping("/outbox/replays")
class ReplayController {

  private static final Logger log = LoggerFactory.getLogger(ReplayController.class);

  /**
   * Which published events, how fast, and whether to act or only to count.
   *
   * @param firstId the first id of a range; the last one belongs to it too
   * @param all needed when nothing else narrows the choice
   */
  record Order(
      @Nullable UUID id,
      @Nullable String aggregateId,
      @Nullable String eventType,
      @Nullable Instant publishedFrom,
      @Nullable Instant publishedBefore,
      @Nullable UUID firstId,
      @Nullable UUID lastId,
      @Nullable Boolean all,
      @Nullable Integer perSecond,
      @Nullable Boolean dryRun,
      @Nullable String reason) {

    Replays.Selection selection() {
      return new Replays.Selection(
          id, aggregateId, eventType, publishedFrom, publishedBefore, firstId, lastId);
    }
  }

  /**
   * How many events an order meant.
   *
   * @param replay null after a dry run
   */
  record Result(int events, boolean dryRun, Replays.@Nullable Replay replay) {}

  /** How many events a cancelled replay will not send any more. */
  record Cancelled(int unsent) {}

  private final Replays replays;
  private final Housekeeping housekeeping;
  private final RelaySettings.Replay settings;

  ReplayController(Replays replays, Housekeeping housekeeping, RelaySettings settings) {
    this.replays = replays;
    this.housekeeping = housekeeping;
    this.settings = settings.replay();
  }

  @PostMapping
  Result replay(@RequestBody Order order, Principal operator) throws SQLException {
    Replays.Selection selection = order.selection();
    if (selection.isEverything() && !Boolean.TRUE.equals(order.all())) {
      throw problem(
          HttpStatus.BAD_REQUEST,
          "nothing-selected",
          "Give id, aggregateId, eventType, publishedFrom, publishedBefore, firstId or lastId, or"
              + " all: true for everything the archive can send again");
    }
    int perSecond = order.perSecond() == null ? settings.perSecond() : order.perSecond();
    if (perSecond < 1 || perSecond > 100_000) {
      throw problem(HttpStatus.BAD_REQUEST, "invalid-rate", "perSecond must be 1 to 100000");
    }
    if (Boolean.TRUE.equals(order.dryRun())) {
      int events = replays.count(selection);
      if (events > settings.most()) {
        throw tooMany();
      }
      return new Result(events, true, null);
    }
    String reason = order.reason();
    if (reason == null || reason.isBlank()) {
      throw problem(
          HttpStatus.BAD_REQUEST,
          "reason-missing",
          "Readers will see these events again: give a reason");
    }
    Replays.Replay replay =
        replays.start(selection, perSecond, operator.getName(), reason).orElseThrow(this::tooMany);
    housekeeping.measure();
    log.info(
        "Operator {}: replay {} of {} events, {}",
        operator.getName(),
        replay.id(),
        replay.events(),
        replay.selected());
    return new Result(replay.events(), false, replay);
  }

  @GetMapping
  List<Replays.Replay> list() {
    return replays.list();
  }

  @GetMapping("/{id}")
  Replays.Replay find(@PathVariable long id) {
    return replays
        .find(id)
        .orElseThrow(
            () -> problem(HttpStatus.NOT_FOUND, "no-such-replay", "There is no replay " + id));
  }

  @PostMapping("/{id}/cancel")
  Cancelled cancel(@PathVariable long id, Principal operator) {
    int unsent =
        replays
            .cancel(id, operator.getName())
            .orElseThrow(
                () ->
                    problem(
                        HttpStatus.NOT_FOUND,
                        "no-such-replay",
                        "No replay " + id + " is under way"));
    log.info("Operator {}: replay {} is cancelled", operator.getName(), id);
    return new Cancelled(unsent);
  }

  private org.springframework.web.ErrorResponseException tooMany() {
    return problem(
        HttpStatus.BAD_REQUEST,
        "too-many-events",
        "More than %d events (relay.replay.most): narrow the choice".formatted(settings.most()));
  }
}
