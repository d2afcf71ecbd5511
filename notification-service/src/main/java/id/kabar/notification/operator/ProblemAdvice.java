package id.kabar.notification.operator;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Every error is a problem with a type that stays. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

  private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

  @ExceptionHandler(MethodArgumentTypeMismatchException.class)
  ResponseEntity<ProblemDetail> mistyped(MethodArgumentTypeMismatchException e) {
    return problem(
        HttpStatus.BAD_REQUEST,
        "bad-request",
        "%s: expected %s".formatted(e.getName(), expected(e.getRequiredType())));
  }

  @ExceptionHandler({DataAccessException.class, TransactionException.class})
  ResponseEntity<ProblemDetail> database(RuntimeException e) {
    log.warn("The database did not answer an operator: {}", e.getClass().getSimpleName());
    return problem(
        HttpStatus.SERVICE_UNAVAILABLE,
        "database-unavailable",
        "The database does not answer. Try again.");
  }

  @ExceptionHandler(Exception.class)
  ResponseEntity<ProblemDetail> unexpected(Exception e) {
    log.error("An operator's request failed", e);
    return problem(
        HttpStatus.INTERNAL_SERVER_ERROR, "internal-error", "This failed; the log says why.");
  }

  /** Names the field; the parser's own words would quote the request. */
  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, whatIsWrong(e.getCause()));
    return handleExceptionInternal(e, problem, headers, status, request);
  }

  private static String whatIsWrong(@Nullable Throwable cause) {
    return switch (cause) {
      case UnrecognizedPropertyException unknown ->
          "%s: not known here; known are %s"
              .formatted(unknown.getPropertyName(), unknown.getKnownPropertyIds());
      case InvalidFormatException badly -> {
        String field = badly.getPath().isEmpty() ? "" : badly.getPath().getLast().getPropertyName();
        Class<?> type = badly.getTargetType();
        yield "%s: expected %s".formatted(field, expected(type));
      }
      case null, default -> "the request needs a body that is valid JSON";
    };
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "a different value";
    }
    return type.isEnum()
        ? "one of " + Arrays.toString(type.getEnumConstants())
        : "a valid " + type.getSimpleName();
  }

  /** Gives Spring's own problems a type: {@code 405} is {@code method-not-allowed}. */
  @Override
  protected @Nullable ResponseEntity<Object> handleExceptionInternal(
      Exception e,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ResponseEntity<Object> response =
        super.handleExceptionInternal(e, body, headers, status, request);
    if (response != null
        && response.getBody() instanceof ProblemDetail problem
        && (problem.getType() == null || "about:blank".equals(problem.getType().toString()))) {
      problem.setType(type(nameOf(status)));
    }
    return response;
  }

  private static String nameOf(HttpStatusCode status) {
    HttpStatus known = HttpStatus.resolve(status.value());
    return known == null
        ? "status-" + status.value()
        : known.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static ResponseEntity<ProblemDetail> problem(
      HttpStatus status, String name, String detail) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
    problem.setType(type(name));
    return ResponseEntity.of(problem).build();
  }

  private static URI type(String name) {
    return URI.create("https://kabar.id/problems/" + name);
  }
}
