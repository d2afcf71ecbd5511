package id.kabar.orders.why;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The whole idea of Kabar without a framework: deliver until it is acknowledged, remember what was
 * done.
 */
class AtLeastOnceTest {

  record Event(String id, String customer) {}

  /** Keeps an event until its consumer returns: what fails half-way comes again. */
  static final class Broker {

    private final Queue<Event> events = new ArrayDeque<>();

    void send(Event event) {
      events.add(event);
    }

    void deliverAllTo(Consumer consumer) {
      while (!events.isEmpty()) {
        try {
          consumer.receive(events.element());
          events.remove();
        } catch (Crash beforeTheAcknowledgement) {
          // The broker learned nothing, so it has to deliver this event again.
        }
      }
    }
  }

  interface Consumer {
    void receive(Event event);
  }

  static final class Crash extends RuntimeException {}

  private final Broker broker = new Broker();
  private final List<String> mailed = new ArrayList<>();
  private boolean crashOnce;

  @Test
  void whatIsDeliveredAtLeastOnceIsMailedTwiceByAForgetfulConsumer() {
    broker.send(new Event("1", "ani"));
    crashOnce = true;

    broker.deliverAllTo(this::mail);

    assertThat(mailed).containsExactly("ani", "ani");
  }

  @Test
  void whatIsDeliveredAtLeastOnceIsMailedOnceByAConsumerThatRemembersIds() {
    broker.send(new Event("1", "ani"));
    broker.send(new Event("2", "budi"));
    broker.send(new Event("2", "budi")); // the sender, too, may repeat itself
    crashOnce = true;
    Set<String> done = new HashSet<>();

    broker.deliverAllTo(
        event -> {
          if (done.add(event.id())) {
            mail(event);
          }
        });

    assertThat(mailed).containsExactly("ani", "budi");
  }

  private void mail(Event event) {
    mailed.add(event.customer());
    if (crashOnce) {
      crashOnce = false;
      throw new Crash(); // after the effect, before anybody knows of it
    }
  }
}
