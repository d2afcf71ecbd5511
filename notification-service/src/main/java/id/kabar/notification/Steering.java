package id.kabar.notification;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Pauses and resumes the listener of paid orders, one order after the other. That needs the
 * container's lock, which a stop holds while it waits for the records in hand: never asked for by a
 * thread that anybody waits for.
 */
@Component
class Steering implements DisposableBean {

  private final ExecutorService thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          // hundreds of virtual threads that begin at once would keep a virtual one waiting
          Thread.ofPlatform().daemon().name("order-paid-steering").factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // after the end nothing needs steering

  /** Returns at once; the orders of one caller are carried out in their order. */
  void later(Runnable order) {
    thread.execute(order);
  }

  @Override
  public void destroy() {
    thread.shutdown();
  }
}
