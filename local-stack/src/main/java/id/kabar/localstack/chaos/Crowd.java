package id.kabar.localstack.chaos;

import java.util.ArrayList;
import java.util.List;

/** Threads that go on until they are asked to leave, and are waited for then. */
final class Crowd implements AutoCloseable {

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean leave;

  /** Somebody who looks at {@link #stays()} again and again. */
  void joinedBy(String name, Runnable somebody) {
    threads.add(Thread.ofVirtual().name(name).start(somebody));
  }

  boolean stays() {
    return !leave;
  }

  /** Returns when the last one has left. */
  @Override
  public void close() {
    leave = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
