package id.kabar.orders.api;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers what failed outside Spring MVC. */
@Hidden
@RestController
class ErrorAnswer implements ErrorController {

  @RequestMapping("/error")
  ResponseEntity<ProblemDetail> answer(HttpServletRequest request) {
    int status =
        request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
            ? code
            : 404;
    return ResponseEntity.status(status).body(withStatus(status, Problem.of(status)));
  }

  private static ProblemDetail withStatus(int status, Problem problem) {
    ProblemDetail detail = problem.detail("The request could not be handled.");
    detail.setStatus(status);
    return detail;
  }
}
