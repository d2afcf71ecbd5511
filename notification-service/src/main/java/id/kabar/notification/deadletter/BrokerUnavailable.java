package id.kabar.notification.deadletter;

import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

/** The broker has not confirmed a replay; the record may be in the topic all the same. */
final class BrokerUnavailable extends ErrorResponseException {

  BrokerUnavailable(Throwable cause) {
    super(
        HttpStatus.SERVICE_UNAVAILABLE,
        Problems.detail(
            HttpStatus.SERVICE_UNAVAILABLE,
            "broker-unavailable",
            "The broker did not confirm the replay. Try again."),
        cause);
  }
}
