package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.relay.Failure.Fate;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidRequiredAcksException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTest {

  static Stream<Arguments> everyKindOfError() {
    return Stream.of(
        Arguments.of(new RecordTooLargeException("m"), Fate.PARK),
        Arguments.of(new RecordBatchTooLargeException("m"), Fate.PARK),
        Arguments.of(new InvalidTopicException("m"), Fate.PARK),
        Arguments.of(new SerializationException("m"), Fate.PARK),
        Arguments.of(new UnknownTopicOrPartitionException("m"), Fate.RETRY),
        Arguments.of(new TopicAuthorizationException(Set.of("t")), Fate.RETRY),
        Arguments.of(new CorruptRecordException("m"), Fate.RETRY),
        Arguments.of(new PolicyViolationException("m"), Fate.RETRY),
        Arguments.of(new InvalidRecordException("m"), Fate.RETRY),
        Arguments.of(new InvalidTimestampException("m"), Fate.RETRY),
        Arguments.of(new UnsupportedForMessageFormatException("m"), Fate.RETRY),
        Arguments.of(new TimeoutException("m"), Fate.OUTAGE),
        Arguments.of(new NetworkException("m"), Fate.OUTAGE),
        Arguments.of(new DisconnectException("m"), Fate.OUTAGE),
        Arguments.of(new NotEnoughReplicasException("m"), Fate.OUTAGE),
        Arguments.of(new NotEnoughReplicasAfterAppendException("m"), Fate.OUTAGE),
        Arguments.of(new NotLeaderOrFollowerException("m"), Fate.OUTAGE),
        Arguments.of(new LeaderNotAvailableException("m"), Fate.OUTAGE),
        Arguments.of(new KafkaStorageException("m"), Fate.OUTAGE),
        Arguments.of(new UnknownServerException("m"), Fate.OUTAGE),
        Arguments.of(new BufferExhaustedException("m"), Fate.OUTAGE),
        Arguments.of(new ThrottlingQuotaExceededException("m"), Fate.OUTAGE),
        Arguments.of(new SaslAuthenticationException("m"), Fate.OUTAGE),
        Arguments.of(new SslAuthenticationException("m"), Fate.OUTAGE),
        Arguments.of(new ClusterAuthorizationException("m"), Fate.OUTAGE),
        Arguments.of(new TransactionalIdAuthorizationException("m"), Fate.OUTAGE),
        Arguments.of(new ProducerFencedException("m"), Fate.OUTAGE),
        Arguments.of(new InvalidProducerEpochException("m"), Fate.OUTAGE),
        Arguments.of(new OutOfOrderSequenceException("m"), Fate.OUTAGE),
        Arguments.of(new UnknownProducerIdException("m"), Fate.OUTAGE),
        Arguments.of(new UnsupportedVersionException("m"), Fate.OUTAGE),
        Arguments.of(new InvalidRequiredAcksException("m"), Fate.OUTAGE),
        Arguments.of(new InvalidConfigurationException("m"), Fate.OUTAGE),
        Arguments.of(new KafkaException("Producer is closed forcefully."), Fate.BYSTANDER),
        Arguments.of(new IllegalStateException("closed"), Fate.BYSTANDER),
        Arguments.of(new NullPointerException("unheard of"), Fate.OUTAGE));
  }

  @ParameterizedTest
  @MethodSource("everyKindOfError")
  void everyErrorKnowsItsFate(Exception error, Fate fate) {
    assertThat(Failure.of(error).fate()).isEqualTo(fate);
  }

  @Test
  void onlyWhatTheEventItselfCausesIsCounted() {
    assertThat(Failure.of(new RecordTooLargeException("m")).isRefusal()).isTrue();
    assertThat(Failure.of(new UnknownTopicOrPartitionException("m")).isRefusal()).isTrue();
    assertThat(Failure.of(new TimeoutException("m")).isRefusal()).isFalse();
    assertThat(Failure.of(new KafkaException("m")).isRefusal()).isFalse();
  }

  @Test
  void reasonNamesTheKindAndWhatWasSaid() {
    assertThat(Failure.of(new RecordTooLargeException("9 bytes are too many")).reason())
        .isEqualTo("RecordTooLargeException: 9 bytes are too many");
    assertThat(Failure.of(new TimeoutException()).reason()).isEqualTo("TimeoutException");
  }
}
