package id.kabar.localstack.soak;

import id.kabar.localstack.LocalStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads what a running stack takes, again and again, and tells in the end what of it grows. */
public final class Watch {

  private static final Duration SHORTEST = Duration.ofSeconds(12);
  private static final int READINGS = 120;

  private final Gauges gauges;
  private final List<Reading> readings = new ArrayList<>();

  public Watch(LocalStack stack) {
    this.gauges = new Gauges(stack);
  }

  /** Watches for so long, in this thread. */
  public void watch(Duration length) throws InterruptedException {
    Duration every = length.dividedBy(READINGS);
    long pause = (every.compareTo(SHORTEST) > 0 ? every : SHORTEST).toNanos();
    long begun = System.nanoTime();
    for (long due = 0; due <= length.toNanos(); due += pause) {
      long rest = begun + due - System.nanoTime();
      if (rest > 0) {
        Thread.sleep(Duration.ofNanos(rest));
      }
      readings.addAll(gauges.read(Duration.ofNanos(System.nanoTime() - begun)));
    }
  }

  /**
   * Writes {@code soak.md} and {@code soak.csv} with every reading.
   *
   * @param circumstances a sentence for the head of the report
   * @return what grew, or could not be judged, a sentence each; nothing if all is flat
   */
  public List<String> report(Path folder, String circumstances) throws IOException {
    return new SoakReport(circumstances, readings).write(folder);
  }
}
