package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.support.Acknowledgment;

class PartitionWindowTest {

  private static final TopicPartition PARTITION = new TopicPartition("order.paid", 1);

  private final List<Long> acknowledged = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> begun = Collections.synchronizedList(new ArrayList<>());
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final PartitionWindow window = new PartitionWindow(PARTITION, 4, 8, new Tells());

  @Test
  void differentKeysAreUnderWayAtOnceAndEqualKeysOneAfterTheOther() {
    var first = take("a", 0);
    var second = take("a", 1);
    take("b", 2);
    awaitBegun(0, 2);
    first.ends();
    awaitBegun(0, 2, 1);
    second.ends();
  }

  @Test
  void nothingIsAcknowledgedPastAnUnfinishedRecord() {
    var first = take("a", 0);
    var second = take("b", 1);
    var third = take("c", 2);
    var fourth = take("d", 3);
    third.ends();
    second.ends();
    await().until(() -> Collections.frequency(told, "finished") == 2);
    assertThat(acknowledged).isEmpty();
    first.ends();
    await().until(() -> acknowledged.equals(List.of(2L)));
    fourth.ends();
    await().until(() -> acknowledged.equals(List.of(2L, 3L)));
  }

  @Test
  void aRecordThatComesAgainIsInHandAlready() {
    var first = take("a", 0);
    take("a", 0);
    first.ends();
    await().until(() -> acknowledged.equals(List.of(0L)));
    assertThat(begun).containsExactly(0L);
  }

  @Test
  void recordsWithoutAKeyWaitForNobody() {
    take(null, 0);
    take(null, 1);
    awaitBegun(0, 1);
  }

  @Test
  void aFullWindowSaysSoAndSaysWhenThereIsRoomAgain() {
    List<UnderWay> ends = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ends.add(take(null, i));
    }
    assertThat(told).containsOnlyOnce("full");
    ends.get(4).ends();
    ends.get(3).ends();
    await().until(() -> Collections.frequency(told, "finished") == 2);
    assertThat(told).doesNotContain("room");
    ends.get(2).ends();
    await().until(() -> told.contains("room"));
  }

  @Test
  void oneStuckRecordStopsTheOthersOnlyWhenTheSpanIsReached() {
    take("stuck", 0);
    for (int i = 1; i < 7; i++) {
      take(null, i).ends();
      int finished = i;
      await().until(() -> Collections.frequency(told, "finished") == finished);
    }
    assertThat(told).doesNotContain("full");
    take(null, 7).ends();
    assertThat(told).contains("full");
    assertThat(acknowledged).isEmpty();
  }

  @Test
  void aClosedWindowBeginsNothingAndAcknowledgesWhatWasUnderWay() throws InterruptedException {
    var underWay = take("a", 0);
    take("a", 1);
    awaitBegun(0);
    window.close();
    take("b", 2);
    underWay.ends();
    assertThat(window.awaitEnd(Duration.ofSeconds(5))).isTrue();
    assertThat(begun).containsExactly(0L);
    assertThat(acknowledged).containsExactly(0L);
  }

  @Test
  void whatEndsAfterThePartitionHasGoneIsNotAcknowledged() throws InterruptedException {
    var late = take("a", 0);
    window.close();
    assertThat(window.awaitEnd(Duration.ofMillis(20))).isFalse();
    late.ends();
    await().until(() -> told.contains("finished"));
    assertThat(window.awaitEnd(Duration.ofSeconds(5))).isTrue();
    assertThat(acknowledged).isEmpty();
  }

  @Test
  void aRecordThatFailsUnexpectedlyComesAgainAndThoseBehindItFollow() {
    var failures = new ArrayDeque<>(List.of(new IllegalStateException("a mistake")));
    window.take(
        "a".getBytes(UTF_8),
        0,
        () -> acknowledged.add(0L),
        () -> {
          if (!failures.isEmpty()) {
            throw failures.poll();
          }
          return true;
        });
    take("a", 1).ends();
    await().until(() -> acknowledged.equals(List.of(0L, 1L)));
  }

  private UnderWay take(String key, long offset) {
    var record = new UnderWay(new CountDownLatch(1));
    Acknowledgment acknowledgment = () -> acknowledged.add(offset);
    window.take(
        key == null ? null : key.getBytes(UTF_8),
        offset,
        acknowledgment,
        () -> {
          begun.add(offset);
          return record.awaitEnd();
        });
    return record;
  }

  private void awaitBegun(long... offsets) {
    await()
        .untilAsserted(
            () -> assertThat(begun).contains(Arrays.stream(offsets).boxed().toArray(Long[]::new)));
    assertThat(begun).hasSize(offsets.length);
  }

  private record UnderWay(CountDownLatch end) {

    void ends() {
      end.countDown();
    }

    boolean awaitEnd() {
      try {
        return end.await(20, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final class Tells implements PartitionWindow.Watcher {
    @Override
    public void firstChanged(TopicPartition partition, boolean any) {
      told.add(any ? "first" : "empty");
    }

    @Override
    public void finishedOne() {
      told.add("finished");
    }

    @Override
    public void roomChanged(TopicPartition partition) {
      told.add(window.full() ? "full" : "room");
    }
  }
}
