package id.kabar.notification.email;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.tomakehurst.wiremock.http.Fault;
import id.kabar.notification.email.EmailFailure.CredentialsRefused;
import id.kabar.notification.email.EmailFailure.KeyInFlight;
import id.kabar.notification.email.EmailFailure.Rejected;
import id.kabar.notification.email.EmailFailure.Throttled;
import id.kabar.notification.email.EmailFailure.Unavailable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.json.JsonMapper;

/** Each row of the classification table. */
class EmailProviderTest {

  private static final FakeProvider PROVIDER = new FakeProvider();
  private static final Duration UNHURRIED = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(700);
  private static final Email EMAIL =
      new Email("no-reply@kabar.id", "budi@example.com", "Paid", "text", "<p>html</p>");

  private final UUID key = UUID.randomUUID();

  @BeforeEach
  void fresh() {
    PROVIDER.reset();
  }

  @AfterAll
  static void stop() {
    PROVIDER.stop();
  }

  @Test
  void anAcceptedEmailHasAMessageId() {
    assertThat(provider().post(key, EMAIL).messageId()).isEqualTo("message-" + key);
  }

  @Test
  void theCallCarriesKeyAndMessage() {
    provider().post(key, EMAIL);
    var call = PROVIDER.callsOf(key).getFirst();
    assertThat(call.getHeader("Content-Type")).startsWith("application/json");
    assertThat(JsonMapper.shared().readTree(call.getBodyAsString()))
        .isEqualTo(
            JsonMapper.shared()
                .readTree(
                    """
                    {"from":"no-reply@kabar.id","to":"budi@example.com","subject":"Paid",
                     "text":"text","html":"<p>html</p>"}
                    """));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 405, 410, 413, 415, 422, 451})
  void otherClientErrorsReject(int status) {
    PROVIDER.answers(status);
    assertThat(failure()).isEqualTo(new Rejected(status));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void refusedCredentialsAreAnOutageWaitingToBeSeen(int status) {
    PROVIDER.answers(status);
    assertThat(failure()).isEqualTo(new CredentialsRefused(status));
    assertThat(failure().countsForBreaker()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429})
  void throttlingIsRetriedWhenTheProviderSays(int status) {
    PROVIDER.asksForAPause(status, "7");
    assertThat(failure()).isEqualTo(new Throttled(status, Duration.ofSeconds(7)));
    PROVIDER.answers(status);
    assertThat(failure()).isEqualTo(new Throttled(status, null));
  }

  @Test
  void theSameKeyInFlightIsNoVerdict() {
    PROVIDER.answers(409);
    assertThat(failure()).isEqualTo(new KeyInFlight());
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504, 507, 599, 301, 307})
  void serverErrorsAndRedirectsAreUnavailableWithUnknownOutcome(int status) {
    PROVIDER.answers(
        aResponse().withStatus(status).withHeader("Location", "http://localhost:1/elsewhere"));
    assertThat(failure()).isEqualTo(Unavailable.answered(status));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "accepted", "{\"id\":", "{}", "[]", "{\"id\":7}", "{\"id\":\" \"}", "\"x\""})
  void anAnswerWithoutAMessageIdIsUnavailable(String body) {
    PROVIDER.answers(202, body);
    assertThat(failure()).isInstanceOf(Unavailable.class);
    assertThat(failure().outcomeUnknown()).isTrue();
  }

  @Test
  void anAnswerWithoutEndIsNotReadToItsEnd() {
    PROVIDER.answers(202, "{\"id\":\"" + "x".repeat(5_000_000) + "\"}");
    assertThat(failure()).isInstanceOf(Unavailable.class);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aBrokenConnectionIsUnavailable(Fault fault) {
    PROVIDER.fails(fault);
    assertThat(failure()).isInstanceOf(Unavailable.class);
    assertThat(failure().outcomeUnknown()).isTrue();
  }

  @Test
  void aSlowAnswerEndsAtTheDeadline() {
    PROVIDER.acceptsAfter(UNHURRIED);
    assertThatItEndsAtTheDeadline();
  }

  @Test
  void aDrippingBodyEndsAtTheDeadline() {
    PROVIDER.drips();
    assertThatItEndsAtTheDeadline();
  }

  private void assertThatItEndsAtTheDeadline() {
    long started = System.nanoTime();
    assertThat(failureOf(provider(PROVIDER.url(), SHORT)))
        .isEqualTo(new Unavailable("no whole answer within 700 ms", true));
    assertThat(Duration.ofNanos(System.nanoTime() - started))
        .isBetween(SHORT.minusMillis(50), UNHURRIED.dividedBy(2));
  }

  @Test
  void whatWasNeverConnectedWasNeverAccepted() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    assertThat(failureOf(provider("http://localhost:" + free, UNHURRIED)))
        .isEqualTo(new Unavailable("cannot be connected to", false));
  }

  @Test
  void noReasonEverNamesTheCustomer() {
    PROVIDER.answers(422, "budi@example.com is not deliverable");
    assertThat(failure().why()).isEqualTo("rejected with 422");
  }

  private EmailFailure failure() {
    return failureOf(provider());
  }

  private EmailFailure failureOf(EmailProvider provider) {
    EmailNotSent notSent =
        catchThrowableOfType(EmailNotSent.class, () -> provider.post(key, EMAIL));
    return notSent.failure();
  }

  private static EmailProvider provider() {
    return provider(PROVIDER.url(), UNHURRIED);
  }

  private static EmailProvider provider(String url, Duration deadline) {
    return new EmailProvider(
        RestClient.builder(),
        new EmailSettings(
            URI.create(url),
            "no-reply@kabar.id",
            Duration.ofSeconds(10),
            deadline,
            Duration.ofHours(24),
            0),
        JsonMapper.shared(),
        Clock.systemUTC());
  }
}
