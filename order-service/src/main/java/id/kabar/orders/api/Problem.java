package id.kabar.orders.api;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Every kind of refusal. The type, {@code https://kabar.id/problems/} and the name in kebab case,
 * never changes.
 */
public enum Problem {
  INVALID_REQUEST(HttpStatus.BAD_REQUEST, "The request is not valid"),
  MALFORMED_JSON(HttpStatus.BAD_REQUEST, "The body is not JSON"),
  NOT_FOUND(HttpStatus.NOT_FOUND, "There is nothing at this address"),
  ORDER_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such order"),
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The method is not allowed here"),
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The answer cannot have the wanted media type"),
  ORDER_NOT_PENDING(HttpStatus.CONFLICT, "The order is not PENDING"),
  ORDER_CHANGED(HttpStatus.CONFLICT, "The order was changed meanwhile"),
  REQUEST_IN_PROGRESS(HttpStatus.CONFLICT, "A request under this key is still running"),
  BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
  UNSUPPORTED_MEDIA_TYPE(
      HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body has an unsupported media type"),
  IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The key belongs to another request"),
  EVENT_TOO_LARGE(HttpStatus.UNPROCESSABLE_CONTENT, "The order's event is too large"),
  INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "Something went wrong here"),
  DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The database is not available");

  private final HttpStatus status;
  private final String title;

  Problem(HttpStatus status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The kind that says no more than the status does. */
  static Problem of(int status) {
    return switch (status) {
      case 404 -> NOT_FOUND;
      case 405 -> METHOD_NOT_ALLOWED;
      case 406 -> NOT_ACCEPTABLE;
      case 413 -> BODY_TOO_LARGE;
      case 415 -> UNSUPPORTED_MEDIA_TYPE;
      case 503 -> DATABASE_UNAVAILABLE;
      default -> status < 500 ? INVALID_REQUEST : INTERNAL_ERROR;
    };
  }

  String title() {
    return title;
  }

  public URI type() {
    return URI.create(
        "https://kabar.id/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  public ProblemDetail detail(String detail) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
    problem.setType(type());
    problem.setTitle(title);
    return problem;
  }

  /** With the refusal's own words. */
  public ProblemDetail detail(RuntimeException refusal) {
    return detail(String.valueOf(refusal.getMessage()));
  }

  public ErrorResponseException exception(String detail) {
    return new ErrorResponseException(status, detail(detail), null);
  }
}
