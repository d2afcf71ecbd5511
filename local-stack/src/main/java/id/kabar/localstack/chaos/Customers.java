package id.kabar.localstack.chaos;

import id.kabar.localstack.chaos.Till.Receipt;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Several customers who buy at once, each in a way of its own: most insist until they are answered,
 * some give up, some pay twice at once, some pay and cancel at once, some never pay.
 */
final class Customers implements AutoCloseable {

  private static final Duration AGAIN = Duration.ofMillis(300);
  private static final int INSISTENCE = 40;

  private final Till till;
  private final long seed;
  private final Duration pause;
  private final AtomicLong amounts = new AtomicLong(10_000);
  private final Crowd crowd = new Crowd();

  /**
   * @param perSecond how many orders all of them place in a second, while nothing is broken
   */
  Customers(Till till, long seed, int count, double perSecond) {
    this.till = till;
    this.seed = seed;
    this.pause = Duration.ofNanos((long) (count / perSecond * 1e9));
    for (int number = 1; number <= count; number++) {
      String name = "customer-" + number;
      Random whims = new Random(seed * 31 + number);
      crowd.joinedBy(name, () -> buyAndBuy(name, whims));
    }
  }

  /** No more orders; returns when the last customer has been answered or has given up. */
  @Override
  public void close() {
    crowd.close();
  }

  private void buyAndBuy(String name, Random whims) {
    try {
      Thread.sleep(whims.nextLong(pause.toMillis() + 1));
      while (crowd.stays()) {
        long begun = System.nanoTime();
        buy(name, whims);
        long rest = pause.toNanos() * (50 + whims.nextInt(100)) / 100;
        TimeUnit.NANOSECONDS.sleep(Math.max(0, rest - (System.nanoTime() - begun)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void buy(String name, Random whims) throws InterruptedException {
    long amount = amounts.incrementAndGet();
    String wish = "%d-%d".formatted(seed, amount);
    boolean givesUp = whims.nextInt(10) == 0;
    Receipt placed = insist(givesUp, () -> till.place(name, "place-" + wish, amount));
    String order = placed.order();
    if (order == null) {
      return;
    }
    int whim = whims.nextInt(20);
    if (whim == 0) {
      return;
    }
    Supplier<Receipt> pay = () -> till.pay(name, "pay-" + wish, order, amount);
    switch (whim) {
      case 1 -> atOnce(pay, () -> till.pay(name, "pay-too-" + wish, order, amount));
      case 2 -> atOnce(pay, () -> till.cancel(name, "cancel-" + wish, order, amount));
      default -> insist(givesUp, pay);
    }
  }

  private Receipt insist(boolean givesUp, Supplier<Receipt> call) throws InterruptedException {
    Receipt receipt = call.get();
    for (int again = 0; !givesUp && again < INSISTENCE && !receipt.isFinal(); again++) {
      Thread.sleep(AGAIN);
      receipt = call.get();
    }
    return receipt;
  }

  private static void atOnce(Supplier<Receipt> one, Supplier<Receipt> other)
      throws InterruptedException {
    Thread both = Thread.ofVirtual().start(() -> ignore(one.get()));
    ignore(other.get());
    both.join();
  }

  /** It is written down, and nothing follows from it. */
  private static void ignore(Receipt receipt) {
    Objects.requireNonNull(receipt);
  }
}
