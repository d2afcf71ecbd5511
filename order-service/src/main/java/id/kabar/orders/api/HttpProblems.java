package id.kabar.orders.api;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;
import tools.jackson.core.JacksonException;

/** Turns every failure into a problem that says what to do, and nothing of what is inside. */
@RestControllerAdvice
class HttpProblems extends ResponseEntityExceptionHandler {

  private static final Logger log = LoggerFactory.getLogger(HttpProblems.class);
  private static final String RETRY_SECONDS = "2";

  // Hikari closes a connection that broke, and whoever still holds it learns no more than this.
  private static final String CLOSED_BY_THE_POOL = "Connection is closed";

  @ExceptionHandler
  ResponseEntity<Object> invalid(InvalidRequest refusal) {
    return answer(Problem.INVALID_REQUEST.detail(refusal), refusal.errors());
  }

  @ExceptionHandler
  @Nullable ResponseEntity<Object> failed(Exception failure) {
    if (isDatabaseUnavailable(failure)) {
      log.warn("The database is not available: {}", failure.getMessage());
      return ResponseEntity.status(503)
          .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
          .body(
              Problem.DATABASE_UNAVAILABLE.detail(
                  "Try again in a moment. Whether the request took effect is known by asking again: give an"
                      + " Idempotency-Key, and it takes effect once."));
    }
    if (DisconnectedClientHelper.isClientDisconnectedException(failure)) {
      log.debug("The client did not wait for its answer");
      return null;
    }
    log.error("A request failed", failure);
    return ResponseEntity.internalServerError()
        .body(Problem.INTERNAL_ERROR.detail("The request failed, and the service's log says why."));
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException failure,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    List<Throwable> causes = causes(failure).toList();
    for (Throwable cause : causes) {
      if (cause instanceof InvalidRequest refusal) {
        return invalid(refusal);
      }
    }
    for (Throwable cause : causes) {
      if (cause instanceof JacksonException json) {
        return answer(
            Problem.MALFORMED_JSON.detail(JsonFault.sentence(json)), JsonFault.fields(json));
      }
    }
    return answer(Problem.INVALID_REQUEST.detail("The body must be a JSON object."), List.of());
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleTypeMismatch(
      TypeMismatchException failure,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    String name =
        failure instanceof MethodArgumentTypeMismatchException argument
            ? argument.getName()
            : String.valueOf(failure.getPropertyName());
    return invalid(
        new InvalidRequest(
            List.of(
                new InvalidField(
                    name,
                    failure.getRequiredType() == UUID.class
                        ? "must be a UUID"
                        : "is not well-formed"))));
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
      NoResourceFoundException failure,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return answer(Problem.NOT_FOUND.detail("The API is described at /v3/api-docs."), List.of());
  }

  /** What Spring MVC refuses by itself keeps its words and gets our types. */
  @Override
  protected ResponseEntity<Object> createResponseEntity(
      @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    if (body instanceof ProblemDetail problem && problem.getType() == null) {
      body = Problem.of(status.value()).detail(String.valueOf(problem.getDetail()));
    }
    return new ResponseEntity<>(body, headers, status);
  }

  private static ResponseEntity<Object> answer(ProblemDetail problem, List<InvalidField> errors) {
    if (!errors.isEmpty()) {
      problem.setProperty("errors", errors);
    }
    return ResponseEntity.status(problem.getStatus()).body(problem);
  }

  /** The pool gave up, or PostgreSQL broke off, shuts down, starts up or has no connection left. */
  private static boolean isDatabaseUnavailable(Exception failure) {
    return failure instanceof CannotCreateTransactionException
        || causes(failure).anyMatch(HttpProblems::breaksConnection);
  }

  private static boolean breaksConnection(Throwable cause) {
    return cause instanceof SQLTransientConnectionException
        || (cause instanceof SQLException sql
            && (sql.getSQLState() == null
                ? CLOSED_BY_THE_POOL.equals(sql.getMessage())
                : sql.getSQLState().matches("08...|57P..|53...")));
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause).limit(20);
  }
}
