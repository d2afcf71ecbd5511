package id.kabar.orders;

import id.kabar.orders.api.Problem;
import id.kabar.orders.outbox.EventTooLarge;
import org.springframework.core.Ordered;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What an order refuses, as answers. */
@RestControllerAdvice
@org.springframework.core.annotation.Order(Ordered.HIGHEST_PRECEDENCE)
class OrderProblems {

  @ExceptionHandler
  ProblemDetail notFound(OrderNotFound refusal) {
    return Problem.ORDER_NOT_FOUND.detail(refusal);
  }

  @ExceptionHandler
  ProblemDetail notPending(OrderNotPending refusal) {
    return Problem.ORDER_NOT_PENDING.detail(refusal);
  }

  @ExceptionHandler
  ProblemDetail changedMeanwhile(OptimisticLockingFailureException refusal) {
    return Problem.ORDER_CHANGED.detail(
        "Another request changed this order at the same moment. Look at the order before you try again.");
  }

  @ExceptionHandler
  ProblemDetail eventTooLarge(EventTooLarge refusal) {
    return Problem.EVENT_TOO_LARGE.detail(refusal);
  }
}
