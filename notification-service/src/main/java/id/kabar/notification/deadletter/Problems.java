package id.kabar.notification.deadletter;

import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** What an operator is told when something cannot be done. */
final class Problems {

  private Problems() {}

  static ErrorResponseException of(HttpStatus status, String name, String detail) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
    problem.setType(URI.create("https://kabar.id/problems/" + name));
    return new ErrorResponseException(status, problem, null);
  }
}
