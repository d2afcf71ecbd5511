package id.kabar.notification.email;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static com.github.tomakehurst.wiremock.stubbing.Scenario.STARTED;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** An email provider on this machine that does as it is told. */
public final class FakeProvider {

  private static final String PATH = "/v1/messages";

  private final WireMockServer server =
      new WireMockServer(
          wireMockConfig().dynamicPort().globalTemplating(true).containerThreads(80));

  public FakeProvider() {
    server.start();
    accepts();
  }

  public String url() {
    return server.baseUrl();
  }

  public void stop() {
    server.stop();
  }

  /** Forgets all calls and accepts everything from here on. */
  public void reset() {
    server.resetAll();
    accepts();
  }

  public void accepts() {
    answers(accepted());
  }

  public void acceptsAfter(Duration delay) {
    answers(accepted().withFixedDelay((int) delay.toMillis()));
  }

  /** The body comes in drops that would take far longer than the deadline. */
  public void drips() {
    answers(accepted().withChunkedDribbleDelay(40, 20_000));
  }

  public void fails(Fault fault) {
    answers(aResponse().withFault(fault));
  }

  public void answers(int status) {
    answers(aResponse().withStatus(status));
  }

  public void answers(int status, String body) {
    answers(aResponse().withStatus(status).withBody(body).withTransformers());
  }

  public void asksForAPause(int status, String retryAfter) {
    answers(aResponse().withStatus(status).withHeader("Retry-After", retryAfter));
  }

  public void answers(ResponseDefinitionBuilder answer) {
    server.stubFor(post(urlEqualTo(PATH)).willReturn(answer));
  }

  /** The first call gets the first status, all later ones the second. */
  public void answersInTurn(int first, int then) {
    server.stubFor(
        post(urlEqualTo(PATH))
            .inScenario("in turn")
            .whenScenarioStateIs(STARTED)
            .willReturn(aResponse().withStatus(first))
            .willSetStateTo("then"));
    server.stubFor(
        post(urlEqualTo(PATH))
            .inScenario("in turn")
            .whenScenarioStateIs("then")
            .willReturn(then == 202 ? accepted() : aResponse().withStatus(then)));
  }

  /** Only the email of this event. */
  public void answersFor(UUID event, int status) {
    server.stubFor(
        post(urlEqualTo(PATH))
            .atPriority(1)
            .withHeader("Idempotency-Key", equalTo(event.toString()))
            .willReturn(aResponse().withStatus(status)));
  }

  public int calls() {
    return all().size();
  }

  public int callsFor(UUID event) {
    return callsOf(event).size();
  }

  public List<LoggedRequest> callsOf(UUID event) {
    return server.findAll(
        postRequestedFor(urlEqualTo(PATH))
            .withHeader("Idempotency-Key", equalTo(event.toString())));
  }

  public List<LoggedRequest> all() {
    return server.findAll(postRequestedFor(urlEqualTo(PATH)));
  }

  private static ResponseDefinitionBuilder accepted() {
    return aResponse()
        .withStatus(202)
        .withHeader("Content-Type", "application/json")
        .withBody("{\"id\":\"message-{{request.headers.Idempotency-Key}}\"}");
  }
}
