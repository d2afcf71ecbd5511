package id.kabar.orders.api;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Reads the whole body before anything else happens, up to a limit, whether or not the client
 * announced its length: no slow client holds a transaction open, and no large one fills the memory.
 * The first to see a request, it also forbids browsers to guess at, frame or keep any answer.
 */
@Component
@Order(BodyLimit.ORDER)
class BodyLimit extends OncePerRequestFilter {

  static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

  private final int limit;
  private final HandlerExceptionResolver problems;

  BodyLimit(
      ApiSettings settings,
      @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
    this.limit = Math.toIntExact(settings.maxBody().toBytes());
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    if (request.getContentLengthLong() > limit) {
      refuse(request, response);
      return;
    }
    byte[] body = request.getInputStream().readNBytes(limit + 1);
    if (body.length > limit) {
      refuse(request, response);
      return;
    }
    chain.doFilter(new BufferedRequest(request, body), response);
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response) {
    problems.resolveException(
        request,
        response,
        null,
        Problem.BODY_TOO_LARGE.exception("A body has at most " + limit + " bytes."));
  }
}
