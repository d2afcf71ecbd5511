package id.kabar.emailstub;

import com.github.tomakehurst.wiremock.common.Notifier;

/** Keeps WireMock quiet: its news quote whole requests, addresses included. */
class ErrorsOnly implements Notifier {

  @Override
  public void info(String message) {}

  @Override
  public void error(String message) {
    System.err.println("email-stub: " + message);
  }

  @Override
  public void error(String message, Throwable cause) {
    error(message);
    cause.printStackTrace(System.err);
  }
}
