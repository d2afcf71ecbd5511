package id.kabar.relay;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequiredAcksException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Why an event was not confirmed, and so what becomes of it.
 *
 * @param reason names settings, sizes and kinds of errors, never a payload
 */
record Failure(Fate fate, String reason) {

  /** What becomes of an event that was not confirmed. */
  enum Fate {
    /** Its own fault, and time will not mend it: it waits for an operator at once. */
    PARK,
    /** Its own fault: the attempt counts, it is tried again later, and parked in the end. */
    RETRY,
    /** Nobody's event is accepted for now: no attempt counts, the relay backs off. */
    OUTAGE,
    /** Went down with another record: no attempt counts, it is sent again at once. */
    BYSTANDER
  }

  /** The first kind that fits decides, so the special stand before the general. */
  private static final Map<Class<? extends Exception>, Fate> FATES = new LinkedHashMap<>();

  static {
    FATES.put(RecordTooLargeException.class, Fate.PARK);
    FATES.put(RecordBatchTooLargeException.class, Fate.PARK);
    FATES.put(InvalidTopicException.class, Fate.PARK);
    FATES.put(SerializationException.class, Fate.PARK);
    FATES.put(UnknownTopicOrPartitionException.class, Fate.RETRY);
    FATES.put(TopicAuthorizationException.class, Fate.RETRY);
    FATES.put(CorruptRecordException.class, Fate.RETRY);
    FATES.put(PolicyViolationException.class, Fate.RETRY);
    FATES.put(InvalidRecordException.class, Fate.RETRY);
    FATES.put(UnsupportedForMessageFormatException.class, Fate.RETRY);
    FATES.put(AuthenticationException.class, Fate.OUTAGE);
    FATES.put(AuthorizationException.class, Fate.OUTAGE);
    FATES.put(ApplicationRecoverableException.class, Fate.OUTAGE);
    FATES.put(OutOfOrderSequenceException.class, Fate.OUTAGE);
    FATES.put(UnsupportedVersionException.class, Fate.OUTAGE);
    FATES.put(InvalidRequiredAcksException.class, Fate.OUTAGE);
    FATES.put(InvalidConfigurationException.class, Fate.OUTAGE);
    FATES.put(UnknownServerException.class, Fate.OUTAGE);
    FATES.put(BufferExhaustedException.class, Fate.OUTAGE);
    FATES.put(RetriableException.class, Fate.OUTAGE);
    FATES.put(ApiException.class, Fate.RETRY); // what else the broker finds wrong with a record
    FATES.put(KafkaException.class, Fate.BYSTANDER); // its batch or its producer was given up
    FATES.put(IllegalStateException.class, Fate.BYSTANDER); // the same, said by a closed producer
  }

  static Failure of(Throwable cause) {
    for (Map.Entry<Class<? extends Exception>, Fate> row : FATES.entrySet()) {
      if (row.getKey().isInstance(cause)) {
        return new Failure(row.getValue(), reason(cause));
      }
    }
    return new Failure(Fate.OUTAGE, reason(cause)); // unknown trouble is never blamed on an event
  }

  static Failure park(String reason) {
    return new Failure(Fate.PARK, reason);
  }

  static Failure retry(String reason) {
    return new Failure(Fate.RETRY, reason);
  }

  static Failure outage(String reason) {
    return new Failure(Fate.OUTAGE, reason);
  }

  /** Whether the event itself is at fault. */
  boolean isRefusal() {
    return fate == Fate.PARK || fate == Fate.RETRY;
  }

  private static String reason(Throwable cause) {
    String message = cause.getMessage();
    String kind = cause.getClass().getSimpleName();
    return message == null ? kind : kind + ": " + message;
  }
}
