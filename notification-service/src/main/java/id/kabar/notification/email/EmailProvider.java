package id.kabar.notification.email;

import id.kabar.notification.email.EmailFailure.CredentialsRefused;
import id.kabar.notification.email.EmailFailure.KeyInFlight;
import id.kabar.notification.email.EmailFailure.Rejected;
import id.kabar.notification.email.EmailFailure.Throttled;
import id.kabar.notification.email.EmailFailure.Unavailable;
import id.kabar.notification.email.EmailOutcome.Accepted;
import io.micrometer.context.ContextSnapshotFactory;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One call to the provider, and what its answer means. */
@Component
class EmailProvider {

  private static final int LONGEST_ANSWER = 16_384;
  private static final int LONGEST_MESSAGE_ID = 200;

  private final RestClient http;
  private final EmailSettings settings;
  private final JsonMapper json;
  private final Clock clock;
  private final ContextSnapshotFactory contexts = ContextSnapshotFactory.builder().build();

  EmailProvider(RestClient.Builder http, EmailSettings settings, JsonMapper json, Clock clock) {
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.connectTimeout())
            .build();
    this.http =
        http.baseUrl(settings.url().toString())
            .requestFactory(new JdkClientHttpRequestFactory(client))
            .build();
    this.settings = settings;
    this.json = json;
    this.clock = clock;
  }

  /**
   * Asks the provider to accept an email.
   *
   * @param key the same for every attempt at the same email
   * @throws EmailNotSent unless it said that it did
   */
  Accepted post(UUID key, Email email) {
    // The client's own time-out ends with the headers; a body that drips would hold us for ever.
    FutureTask<Accepted> call =
        new FutureTask<>(contexts.captureAll().wrap(() -> exchange(key, email)));
    Thread.ofVirtual().name("email-call").start(call);
    try {
      return call.get(settings.deadline().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      call.cancel(true);
      throw notSent("no whole answer within " + settings.deadline().toMillis() + " ms", true);
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw notSent("interrupted", true);
    } catch (ExecutionException e) {
      throw translate(e.getCause() == null ? e : e.getCause());
    }
  }

  private Accepted exchange(UUID key, Email email) {
    return http.post()
        .uri("/v1/messages")
        .header("Idempotency-Key", key.toString())
        .contentType(MediaType.APPLICATION_JSON)
        .accept(MediaType.APPLICATION_JSON)
        .body(email)
        .exchangeForRequiredValue((request, answer) -> accepted(answer));
  }

  private Accepted accepted(ClientHttpResponse answer) throws IOException {
    if (answer.getStatusCode().is2xxSuccessful()) {
      return new Accepted(messageId(answer));
    }
    throw new EmailNotSent(failure(answer));
  }

  private EmailFailure failure(ClientHttpResponse answer) throws IOException {
    int status = answer.getStatusCode().value();
    return switch (status) {
      case 401, 403 -> new CredentialsRefused(status);
      case 408, 425, 429 ->
          new Throttled(
              status,
              RetryAfter.parse(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER), clock));
      case 409 -> new KeyInFlight();
      default ->
          answer.getStatusCode().is4xxClientError()
              ? new Rejected(status)
              : Unavailable.answered(status);
    };
  }

  private String messageId(ClientHttpResponse answer) throws IOException {
    byte[] body = answer.getBody().readNBytes(LONGEST_ANSWER + 1);
    JsonNode id = null;
    try {
      if (body.length > 0 && body.length <= LONGEST_ANSWER) {
        id = json.readTree(body).get("id");
      }
    } catch (JacksonException e) {
      throw notSent("answered with something else than JSON", true);
    }
    if (id == null || !id.isString() || !plausible(id.stringValue())) {
      throw notSent("answered without a message id", true);
    }
    return id.stringValue();
  }

  private static boolean plausible(String id) {
    return !id.isBlank()
        && id.length() <= LONGEST_MESSAGE_ID
        && id.chars().noneMatch(Character::isISOControl);
  }

  private static RuntimeException translate(Throwable thrown) {
    if (thrown instanceof EmailNotSent notSent) {
      return notSent;
    }
    Throwable root = NestedExceptionUtils.getMostSpecificCause(thrown);
    if (causedBy(thrown, ConnectException.class)
        || causedBy(thrown, HttpConnectTimeoutException.class)) {
      return notSent("cannot be connected to", false);
    }
    if (causedBy(thrown, IOException.class)) {
      return notSent("connection lost (" + root.getClass().getSimpleName() + ")", true);
    }
    return thrown instanceof RuntimeException unexpected
        ? unexpected
        : new IllegalStateException(thrown);
  }

  private static boolean causedBy(Throwable thrown, Class<? extends Throwable> type) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return true;
      }
    }
    return false;
  }

  private static EmailNotSent notSent(String why, boolean outcomeUnknown) {
    return new EmailNotSent(new Unavailable(why, outcomeUnknown));
  }
}
