package id.kabar.orders.api;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Answers what Tomcat refuses before any servlet sees it, such as an address it cannot decode. */
final class ProblemReportValve extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    if (response.getStatus() < 400
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    Problem problem = Problem.of(response.getStatus());
    response.setContentType("application/problem+json");
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    try {
      Writer writer = response.getReporter();
      if (writer != null) {
        writer.write(
            """
            {"type":"%s","title":"%s","status":%d,"detail":"The request could not be understood."}"""
                .formatted(problem.type(), problem.title(), response.getStatus()));
        response.finishResponse();
      }
    } catch (IOException clientLeft) {
      container.getLogger().debug("The client did not wait for the answer", clientLeft);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Installation {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemReports() {
      return tomcat ->
          tomcat.addContextCustomizers(
              context -> {
                if (context.getParent() instanceof StandardHost host) {
                  host.setErrorReportValveClass(ProblemReportValve.class.getName());
                  host.getPipeline().addValve(new ProblemReportValve());
                }
              });
    }
  }
}
