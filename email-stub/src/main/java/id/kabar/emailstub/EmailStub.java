package id.kabar.emailstub;

import static com.github.tomakehurst.wiremock.core.Options.ChunkedEncodingPolicy.NEVER;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.common.FatalStartupException;
import com.github.tomakehurst.wiremock.core.Options;
import java.net.BindException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import java.util.random.RandomGenerator;

/** A running stub: WireMock with the provider's API, its inbox and its faults. */
public final class EmailStub implements AutoCloseable {

  /** Enough for every consumer of a test run to wait in a slow call at the same time. */
  private static final int THREADS = 256;

  private static final long STOP_MILLIS = 1_000;

  private final WireMockServer server;

  private EmailStub(WireMockServer server) {
    this.server = server;
  }

  /** Serves the provider's API until it is told to stop; {@code --help} tells the settings. */
  public static void main(String[] args) {
    try {
      StubSettings settings = StubSettings.of(args, System.getenv());
      if (settings.help()) {
        System.out.print(StubSettings.HELP);
        return;
      }
      EmailStub stub = start(settings, Clock.systemUTC(), new Random());
      Runtime.getRuntime().addShutdownHook(new Thread(stub::close, "stop"));
      System.out.printf(
          "email-stub takes emails at %1$s/v1/messages and shows them at %1$s/%n",
          "http://" + settings.hostForUrl() + ":" + stub.port());
    } catch (StubSettings.Invalid e) {
      System.err.println("email-stub: " + e.getMessage());
      System.exit(2);
    } catch (CannotListen | Journal.Unusable e) {
      System.err.println("email-stub: " + e.getMessage());
      System.exit(1);
    }
  }

  static EmailStub start(StubSettings settings, Clock clock, RandomGenerator random) {
    Path file = settings.journal();
    Inbox inbox =
        new Inbox(
            clock,
            settings.keyWindow(),
            settings.ignoreKeys(),
            StubSettings.keysThatFit(),
            file == null ? Journal.none() : Journal.in(file));
    WireMockServer server =
        new WireMockServer(options(settings, new EmailProvider(inbox, new Faults(random))));
    try {
      server.start();
    } catch (FatalStartupException e) {
      throw CannotListen.at(settings, e);
    }
    return new EmailStub(server);
  }

  private static Options options(StubSettings settings, EmailProvider provider) {
    return wireMockConfig()
        .bindAddress(settings.address())
        .port(settings.port())
        .extensions(provider)
        .mappingSource(new ProviderRoutes())
        // Its journal would keep every request for ever; the inbox keeps what is asked for.
        .disableRequestJournal()
        .stubRequestLoggingDisabled(true)
        .notifier(new ErrorsOnly())
        // Faults are about bytes on one connection, and HTTP/2 has no such thing per call.
        .http2PlainDisabled(true)
        .gzipDisabled(true)
        .useChunkedTransferEncoding(NEVER)
        .containerThreads(THREADS)
        .jettyStopTimeout(STOP_MILLIS);
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.stop();
  }

  /** The stub did not start, because it may not listen where it was told to. */
  static class CannotListen extends RuntimeException {

    private CannotListen(String message, Throwable cause) {
      super(message, cause);
    }

    private static RuntimeException at(StubSettings settings, FatalStartupException failure) {
      Throwable reason = failure;
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        reason = cause;
      }
      if (!(reason instanceof BindException) && !(reason instanceof UnresolvedAddressException)) {
        return failure;
      }
      String words = String.valueOf(reason.getMessage());
      if (words.contains("in use")) {
        return new CannotListen(
            "port %d is taken; stop what listens there or choose another with --port"
                .formatted(settings.port()),
            failure);
      }
      if (words.contains("Permission denied")) {
        return new CannotListen(
            "this user may not listen on port %d; choose one above 1023 with --port"
                .formatted(settings.port()),
            failure);
      }
      return new CannotListen(
          "this machine has no address %s; give one of its own with --address, 0.0.0.0 for all"
              .formatted(settings.address()),
          failure);
    }
  }
}
