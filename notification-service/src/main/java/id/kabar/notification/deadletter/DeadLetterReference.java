package id.kabar.notification.deadletter;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** How a replayed record remembers its letter. */
public final class DeadLetterReference {

  static final int LONGEST = 300;

  private DeadLetterReference() {}

  /** Returns the letter a record is a replay of; null if it is none. */
  public static @Nullable String of(ConsumerRecord<?, ?> record) {
    return DeadLetterHeaders.text(record.headers(), DeadLetterHeaders.REFERENCE, LONGEST);
  }
}
