package id.kabar.relay;

import java.security.Principal;
import java.sql.SQLException;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What an operator can do with events that wait for a word. */
@RestController
@RequestMapping("/outbox/parked")
class ParkedController {

  private static final Logger log = LoggerFactory.getLogger(ParkedController.class);
  private static final int LONGEST_LIST = 1000;

  /**
   * A page of parked events.
   *
   * @param after ask with this for the next page; null when there is none
   */
  record Page(List<ParkedEvents.Parked> parked, @Nullable Long after) {}

  /**
   * Which events, and whether to act or only to count.
   *
   * @param error a part of the reason
   * @param all needed when nothing else narrows the choice
   */
  record Order(
      @Nullable UUID id,
      @Nullable String eventType,
      @Nullable String aggregateId,
      @Nullable String error,
      @Nullable Boolean all,
      @Nullable Boolean dryRun,
      @Nullable String reason) {

    ParkedEvents.Selection selection() {
      return new ParkedEvents.Selection(id, eventType, aggregateId, error);
    }
  }

  /** How many events an order meant, and whether anything was done to them. */
  record Result(int selected, boolean dryRun) {}

  private final ParkedEvents parked;

  ParkedController(ParkedEvents parked) {
    this.parked = parked;
  }

  @GetMapping
  Page list(
      @RequestParam(required = false) @Nullable UUID id,
      @RequestParam(required = false) @Nullable String eventType,
      @RequestParam(required = false) @Nullable String aggregateId,
      @RequestParam(required = false) @Nullable String error,
      @RequestParam(defaultValue = "0") long after,
      @RequestParam(defaultValue = "100") int limit)
      throws SQLException {
    if (limit < 1 || limit > LONGEST_LIST) {
      throw OperatorProblems.problem(
          HttpStatus.BAD_REQUEST, "invalid-limit", "limit must be 1 to " + LONGEST_LIST);
    }
    ParkedEvents.Selection selection =
        new ParkedEvents.Selection(id, eventType, aggregateId, error);
    List<ParkedEvents.Parked> page = parked.list(selection, after, limit);
    return new Page(page, page.size() == limit ? page.getLast().position() : null);
  }

  @PostMapping("/retry")
  Result retry(@RequestBody Order order, Principal operator) throws SQLException {
    return carryOut(ParkedEvents.Action.RETRY, order, operator);
  }

  @PostMapping("/discard")
  Result discard(@RequestBody Order order, Principal operator) throws SQLException {
    return carryOut(ParkedEvents.Action.DISCARD, order, operator);
  }

  @PostMapping("/{id}/retry")
  Result retry(@PathVariable UUID id, Principal operator) throws SQLException {
    return found(id, carryOut(ParkedEvents.Action.RETRY, only(id, null), operator));
  }

  @PostMapping("/{id}/discard")
  Result discard(
      @PathVariable UUID id,
      @RequestParam(required = false) @Nullable String reason,
      Principal operator)
      throws SQLException {
    return found(id, carryOut(ParkedEvents.Action.DISCARD, only(id, reason), operator));
  }

  private static Order only(UUID id, @Nullable String reason) {
    return new Order(id, null, null, null, false, false, reason);
  }

  private static Result found(UUID id, Result result) {
    if (result.selected() == 0) {
      throw OperatorProblems.problem(
          HttpStatus.NOT_FOUND, "no-such-parked-event", "No event " + id + " is parked");
    }
    return result;
  }

  private Result carryOut(ParkedEvents.Action action, Order order, Principal operator)
      throws SQLException {
    ParkedEvents.Selection selection = order.selection();
    if (selection.isEverything() && !Boolean.TRUE.equals(order.all())) {
      throw OperatorProblems.problem(
          HttpStatus.BAD_REQUEST,
          "nothing-selected",
          "Give id, eventType, aggregateId or error, or all: true for every parked event");
    }
    String reason = order.reason();
    if (action == ParkedEvents.Action.DISCARD && (reason == null || reason.isBlank())) {
      throw OperatorProblems.problem(
          HttpStatus.BAD_REQUEST, "reason-missing", "A discarded event is gone: give a reason");
    }
    if (Boolean.TRUE.equals(order.dryRun())) {
      return new Result(parked.count(selection), true);
    }
    int count = parked.act(action, selection, operator.getName(), reason);
    log.info("Operator {}: {} {} parked events, {}", operator.getName(), action, count, selection);
    return new Result(count, false);
  }
}
