package id.kabar.emailstub;

import static com.github.tomakehurst.wiremock.http.Fault.EMPTY_RESPONSE;

import com.github.tomakehurst.wiremock.admin.Router;
import com.github.tomakehurst.wiremock.extension.AdminApiExtension;
import com.github.tomakehurst.wiremock.extension.ResponseTransformerV2;
import com.github.tomakehurst.wiremock.http.QueryParameter;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The provider's API, and the switches of its stub. */
class EmailProvider implements ResponseTransformerV2, AdminApiExtension {

  static final String NAME = "email-provider";

  private static final int LONGEST_BODY = 1024 * 1024;
  private static final int LONGEST_KEY = 255;
  private static final int KEYS_AT_ONCE = 100_000;

  private final Inbox inbox;
  private final Faults faults;

  EmailProvider(Inbox inbox, Faults faults) {
    this.inbox = inbox;
    this.faults = faults;
  }

  @Override
  public String getName() {
    return NAME;
  }

  /** Only the route that names it is answered by it. */
  @Override
  public boolean applyGlobally() {
    return false;
  }

  @Override
  public Response transform(Response response, ServeEvent event) {
    Request request = event.getRequest();
    try {
      if (request.getBody().length > LONGEST_BODY) {
        return refused(
            Answer.problem(413, "too-large", "Too large", "An email may have 1 MB.")
                .upon(response));
      }
      return receive(request, response);
    } catch (BadRequest e) {
      return refused(e.answer().upon(response));
    } catch (InterruptedException e) {
      // The stub is being stopped: this call ends as a provider's crash would end it.
      Thread.currentThread().interrupt();
      return refused(Response.Builder.like(response).but().fault(EMPTY_RESPONSE).build());
    }
  }

  private Response receive(Request request, Response response) throws InterruptedException {
    String key = key(request);
    Email email = Email.read(request.getBodyAsString()).tracedBy(traceparent(request));
    Sha256 body = Sha256.of(request.getBody());
    Optional<Fault> fault = faults.striking(email.to());
    if (fault.isPresent() && fault.get().preventsDelivery()) {
      return struck(fault.get(), response);
    }
    Duration processing = fault.map(Fault::processing).orElse(Duration.ZERO);
    return switch (inbox.receive(key, email, body, processing)) {
      case Verdict.Accepted(String id) -> {
        Response accepted = accepted(id).upon(response);
        boolean alreadyStruck = processing.isPositive();
        yield fault.isEmpty() || alreadyStruck ? accepted : struck(fault.get(), accepted);
      }
      case Verdict.Repeated(String id) -> {
        Response repeated = accepted(id).with("Idempotency-Replayed", "true").upon(response);
        yield fault.isEmpty() ? repeated : struck(fault.get(), repeated);
      }
      case Verdict.KeyReused() ->
          refused(
              Answer.problem(
                      422,
                      "idempotency-key-reused",
                      "Key used before",
                      "This Idempotency-Key came with another body before.")
                  .upon(response));
      case Verdict.InFlight() ->
          refused(
              Answer.problem(
                      409,
                      "idempotency-key-in-flight",
                      "Key in flight",
                      "A call with this Idempotency-Key is being processed; come back later.")
                  .upon(response));
    };
  }

  private static Answer accepted(String id) {
    return Answer.json(202, Map.of("id", id));
  }

  private Response struck(Fault fault, Response answer) {
    Response struck = fault.strike(answer);
    return fault.isError() ? refused(struck) : struck;
  }

  private Response refused(Response answer) {
    inbox.refuse();
    return answer;
  }

  private static @Nullable String traceparent(Request request) {
    return request.containsHeader("traceparent") ? request.getHeader("traceparent") : null;
  }

  private static @Nullable String key(Request request) {
    if (!request.containsHeader("Idempotency-Key")) {
      return null;
    }
    String key = request.getHeader("Idempotency-Key");
    if (key.isBlank() || key.length() > LONGEST_KEY) {
      throw new BadRequest("Idempotency-Key must have 1 to %d characters.".formatted(LONGEST_KEY));
    }
    return key;
  }

  /** A lambda each, not one factory: WireMock finds the route of a task by the task's class. */
  @Override
  public void contributeAdminApiRoutes(Router router) {
    router.add(RequestMethod.GET, "/inbox", (admin, call, path) -> answer(call, this::inbox));
    router.add(RequestMethod.GET, "/inbox/keys", (admin, call, path) -> answer(call, this::keys));
    router.add(
        RequestMethod.DELETE, "/inbox", (admin, call, path) -> answer(call, this::clearInbox));
    router.add(RequestMethod.GET, "/faults", (admin, call, path) -> answer(call, this::faults));
    router.add(
        RequestMethod.PUT, "/faults", (admin, call, path) -> answer(call, this::replaceFaults));
    router.add(
        RequestMethod.DELETE, "/faults", (admin, call, path) -> answer(call, this::clearFaults));
  }

  private Answer inbox(Request request) {
    boolean countsOnly =
        switch (parameter(request, "countsOnly").orElse("false")) {
          case "true" -> true;
          case "false" -> false;
          default -> throw new BadRequest("'countsOnly' must be true or false.");
        };
    int limit = limit(request, Inbox.MESSAGES_KEPT);
    return Answer.json(
        200,
        inbox.contents(
            parameter(request, "key").orElse(null),
            parameter(request, "address").orElse(null),
            countsOnly ? 0 : limit));
  }

  private Answer keys(Request request) {
    StringBuilder lines = new StringBuilder();
    inbox.forEachKey(
        parameter(request, "after").orElse(null),
        limit(request, KEYS_AT_ONCE),
        (key, history) ->
            lines
                .append("{\"key\":")
                .append(Json.write(key))
                .append(",\"accepted\":")
                .append(history.accepted())
                .append(",\"repeated\":")
                .append(history.repeated())
                .append(",\"bodyHash\":\"")
                .append(history.body().hex())
                .append("\"}\n"));
    return Answer.lines(lines.toString());
  }

  private Answer clearInbox(Request request) {
    inbox.clear();
    return Answer.nothing(204);
  }

  private Answer faults(Request request) {
    return Answer.json(200, faults.inForce());
  }

  private Answer replaceFaults(Request request) {
    faults.replaceWith(FaultReader.read(request.getBodyAsString()));
    return faults(request);
  }

  private Answer clearFaults(Request request) {
    faults.replaceWith(List.of());
    return Answer.nothing(204);
  }

  private static ResponseDefinition answer(ServeEvent call, Function<Request, Answer> task) {
    try {
      return task.apply(call.getRequest()).asDefinition();
    } catch (BadRequest e) {
      return e.answer().asDefinition();
    }
  }

  private static int limit(Request request, int most) {
    String limit = parameter(request, "limit").orElse(Integer.toString(most));
    if (!limit.matches("\\d{1,6}") || Integer.parseInt(limit) > most) {
      throw new BadRequest("'limit' must be a number from 0 to %d.".formatted(most));
    }
    return Integer.parseInt(limit);
  }

  private static Optional<String> parameter(Request request, String name) {
    QueryParameter parameter = request.queryParameter(name);
    return parameter != null && parameter.isPresent()
        ? Optional.of(parameter.firstValue())
        : Optional.empty();
  }
}
