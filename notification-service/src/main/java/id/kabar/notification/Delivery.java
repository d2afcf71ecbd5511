package id.kabar.notification;

import id.kabar.notification.deadletter.Failure;
import java.time.Duration;

/** How the delivery of one event ended; its offset is committed for the first two only. */
sealed interface Delivery {

  record Sent() implements Delivery {}

  record Duplicate() implements Delivery {}

  /** Neither sent nor failed: somebody else is at it. Come back after the pause. */
  record NotNow(Duration pause) implements Delivery {}

  /** Another delivery may succeed. */
  record FailedForNow(Failure failure) implements Delivery {}

  /** No other delivery will. */
  record FailedForGood(Failure failure) implements Delivery {}
}
