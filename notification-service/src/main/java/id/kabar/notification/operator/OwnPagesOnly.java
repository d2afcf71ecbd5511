package id.kabar.notification.operator;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Refuses what a page of somebody else makes the operator's browser do: a browser adds the
 * credentials it has to every request. Browsers say where a request comes from; what says nothing
 * is none, and has its credentials from whoever runs it.
 */
final class OwnPagesOnly extends OncePerRequestFilter {

  private static final Set<String> HARMLESS = Set.of("same-origin", "none");

  private final JsonMapper json;

  OwnPagesOnly(JsonMapper json) {
    this.json = json;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (comesFromElsewhere(request)) {
      refuse(response);
    } else {
      chain.doFilter(request, response);
    }
  }

  private static boolean comesFromElsewhere(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !HARMLESS.contains(site) && !isLinkToThePage(request);
    }
    // a browser that does not tell the site, as on plain HTTP, still tells the origin of a change
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return origin != null && !isOurs(origin, request.getHeader(HttpHeaders.HOST));
  }

  /** A link is followed by a person, and looking changes nothing. */
  private static boolean isLinkToThePage(HttpServletRequest request) {
    return request.getMethod().equals("GET")
        && request.getQueryString() == null
        && "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
        && "document".equals(request.getHeader("Sec-Fetch-Dest"));
  }

  private static boolean isOurs(String origin, @Nullable String host) {
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null && authority.equals(host);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void refuse(HttpServletResponse response) throws IOException {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(
            HttpStatus.FORBIDDEN, "A page of another site may not act for the operator.");
    problem.setType(URI.create("https://kabar.id/problems/cross-site"));
    response.setStatus(HttpStatus.FORBIDDEN.value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.getOutputStream().write(json.writeValueAsBytes(problem));
  }
}
