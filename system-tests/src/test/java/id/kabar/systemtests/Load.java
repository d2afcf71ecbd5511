package id.kabar.systemtests;

import id.kabar.systemtests.Shop.Purchase;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Customers who place and pay orders in the background, at a steady rate and whether or not earlier
 * ones were served, until it is closed. An order or a payment that is refused is not tried again.
 */
final class Load implements AutoCloseable {

  private static final Duration LAST_ANSWERS = Duration.ofSeconds(40);
  private static final int MOST = 20_000;

  private final Shop shop;
  private final AtomicInteger begun = new AtomicInteger();
  private final Collection<Purchase> paid = new ConcurrentLinkedQueue<>();
  private final Collection<String> refusals = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService customers = Executors.newVirtualThreadPerTaskExecutor();

  private final Future<?> ticking;

  private Load(Shop shop, int ordersPerSecond) {
    this.shop = shop;
    long pause = TimeUnit.SECONDS.toNanos(1) / ordersPerSecond;
    this.ticking = clock.scheduleAtFixedRate(this::nextCustomer, 0, pause, TimeUnit.NANOSECONDS);
  }

  static Load on(Shop shop, int ordersPerSecond) {
    return new Load(shop, ordersPerSecond);
  }

  /** Orders whose payment was confirmed to their customer. */
  int paid() {
    return paid.size();
  }

  /** What refused orders and payments were answered, or why they were not. */
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  /** No more customers come; returns when the last has been answered. */
  @Override
  public void close() {
    ticking.cancel(false);
    clock.shutdown();
    customers.shutdown();
    try {
      if (!customers.awaitTermination(LAST_ANSWERS.toSeconds(), TimeUnit.SECONDS)) {
        customers.shutdownNow();
        throw new AssertionError("customers still wait for an answer after " + LAST_ANSWERS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void nextCustomer() {
    if (begun.incrementAndGet() <= MOST) {
      customers.execute(this::buy);
    }
  }

  private void buy() {
    try {
      paid.add(shop.buy());
    } catch (AssertionError | UncheckedIOException refusal) {
      refusals.add(String.valueOf(refusal.getMessage()));
    }
  }
}
