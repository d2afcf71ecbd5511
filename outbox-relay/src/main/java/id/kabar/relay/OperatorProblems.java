package id.kabar.relay;

import java.net.URI;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Why an operator's request was not carried out. */
@RestControllerAdvice
class OperatorProblems {

  private static final Logger log = LoggerFactory.getLogger(OperatorProblems.class);

  static ErrorResponseException problem(HttpStatus status, String type, String text) {
    return new ErrorResponseException(status, detail(status, type, text), null);
  }

  @ExceptionHandler({SQLException.class, DataAccessException.class, TransactionException.class})
  ProblemDetail databaseAway(Exception e) {
    log.warn("The outbox cannot be reached for an operator: {}", e.getMessage());
    return detail(
        HttpStatus.SERVICE_UNAVAILABLE,
        "database-unavailable",
        "The outbox did not answer in time; nothing was changed. A long time range may be why.");
  }

  private static ProblemDetail detail(HttpStatus status, String type, String text) {
    ProblemDetail detail = ProblemDetail.forStatusAndDetail(status, text);
    detail.setType(URI.create("https://kabar.id/problems/" + type));
    return detail;
  }
}
