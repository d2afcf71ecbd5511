package id.kabar.orders.idempotency;

import id.kabar.orders.api.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Handles a POST under an Idempotency-Key in one transaction with the answer it stores: both are
 * committed, or neither, and a crash at any moment leaves nothing half done. The answer is sent
 * after the commit.
 */
@Component
@Order(
    Ordered.HIGHEST_PRECEDENCE
        + 200) // after the body is read, so that no slow client holds a transaction
class IdempotencyFilter extends OncePerRequestFilter {

  private static final String REPLAYED = "Idempotency-Replayed";

  private final StoredAnswers answers;
  private final PlatformTransactionManager transactions;
  private final HandlerExceptionResolver problems;

  IdempotencyFilter(
      StoredAnswers answers,
      PlatformTransactionManager transactions,
      @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
    this.answers = answers;
    this.transactions = transactions;
    this.problems = problems;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !request.getMethod().equals("POST") || request.getHeader(KeyedRequest.HEADER) == null;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    ContentCachingResponseWrapper buffered = new ContentCachingResponseWrapper(response);
    try {
      answerOnce(KeyedRequest.of(request), request, buffered, chain);
    } catch (RuntimeException refused) {
      response.resetBuffer();
      response.setHeader(HttpHeaders.LOCATION, null);
      if (problems.resolveException(request, response, null, refused) == null) {
        throw refused;
      }
      return;
    }
    buffered.copyBodyToResponse();
  }

  private void answerOnce(
      KeyedRequest keyed,
      HttpServletRequest request,
      ContentCachingResponseWrapper response,
      FilterChain chain)
      throws ServletException, IOException {
    TransactionStatus transaction = transactions.getTransaction(null);
    boolean stored = false;
    try {
      if (!answers.claim(keyed.key())) {
        throw Problem.REQUEST_IN_PROGRESS.exception("Ask again in a second for its answer.");
      }
      Optional<StoredAnswer> earlier = answers.find(keyed.key());
      if (earlier.isPresent()) {
        replay(keyed, earlier.get(), response);
      } else {
        chain.doFilter(request, response);
        // A refusal that rolls back, such as a lost race, is nothing to remember: the next try may
        // fare better.
        if (isWorthKeeping(response.getStatus()) && !transaction.isRollbackOnly()) {
          answers.store(keyed.key(), answerOf(keyed, response));
          stored = true;
        }
      }
    } finally {
      if (stored) {
        transactions.commit(transaction);
      } else {
        transactions.rollback(transaction);
      }
    }
  }

  /**
   * What was done, and what the state of things refused; never what was malformed or what failed.
   */
  private static boolean isWorthKeeping(int status) {
    return status < 300 || status == 404 || status == 409;
  }

  private static StoredAnswer answerOf(KeyedRequest keyed, ContentCachingResponseWrapper response) {
    return new StoredAnswer(
        keyed.fingerprint(),
        response.getStatus(),
        response.getContentType(),
        response.getHeader(HttpHeaders.LOCATION),
        response.getContentAsByteArray());
  }

  private static void replay(KeyedRequest keyed, StoredAnswer earlier, HttpServletResponse response)
      throws IOException {
    if (!keyed.isThatOf(earlier)) {
      throw Problem.IDEMPOTENCY_KEY_REUSED.exception(
          "Under this Idempotency-Key another request was answered. Give each request a key of its own.");
    }
    response.setStatus(earlier.status());
    response.setContentType(earlier.contentType());
    if (earlier.location() != null) {
      response.setHeader(HttpHeaders.LOCATION, earlier.location());
    }
    response.setHeader(REPLAYED, "true");
    response.getOutputStream().write(earlier.body());
  }
}
