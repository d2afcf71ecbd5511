package id.kabar.notification.deadletter;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** What an operator is told when something cannot be done. */
final class Problems {

  private static final int LONGEST_REASON = 500;

  private Problems() {}

  static ErrorResponseException of(HttpStatus status, String name, String detail) {
    return new ErrorResponseException(status, detail(status, name, detail), null);
  }

  static ProblemDetail detail(HttpStatus status, String name, String detail) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
    problem.setType(URI.create("https://kabar.id/problems/" + name));
    return problem;
  }

  static ErrorResponseException refused(Refusal refusal) {
    return of(HttpStatus.CONFLICT, refusal.problem(), refusal.explanation());
  }

  static ErrorResponseException badRequest(String detail) {
    return of(HttpStatus.BAD_REQUEST, "bad-request", detail);
  }

  static void within(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw badRequest("%s: between 1 and %d".formatted(name, most));
    }
  }

  /** Returns a reason as one line. */
  static String reason(@Nullable String reason, String act) {
    if (reason == null || reason.isBlank() || reason.length() > LONGEST_REASON) {
      throw badRequest(
          "reason: to %s a letter give a reason of at most %d characters"
              .formatted(act, LONGEST_REASON));
    }
    return reason.replaceAll("\\p{Cntrl}", " ").strip();
  }
}
