package id.kabar.systemtests;

import static id.kabar.localstack.Service.NOTIFICATION_SERVICE;

import id.kabar.localstack.LocalStack;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test a whole running stack, one for all classes of a run: starting it takes longer than
 * most tests do. After each test it is healed, and the history of the whole run so far is checked;
 * after a test that failed there is a new one.
 */
final class RunningKabar implements ParameterResolver, AfterTestExecutionCallback {

  private static final String BREAKER_STAYS_OPEN =
      "RESILIENCE4J_CIRCUITBREAKER_INSTANCES_EMAIL_WAITDURATIONINOPENSTATE";
  private static final String HOLD = "NOTIFICATION_OUTAGE_HOLD";
  private static final AtomicInteger STARTS = new AtomicInteger();
  private static final Namespace NAMESPACE = Namespace.create(RunningKabar.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Kabar.class;
  }

  @Override
  public Kabar resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return start(context).result();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    Kabar kabar = start(context).kabar();
    if (kabar == null) {
      return; // said already
    }
    String test = context.getRequiredTestClass().getSimpleName() + ", " + context.getDisplayName();
    boolean settled = false;
    try {
      if (context.getExecutionException().isEmpty()) {
        System.out.println(test + "\n" + kabar.settle());
        settled = true;
      }
    } finally {
      if (!settled) {
        System.out.println("Broken: " + test + "\n" + kabar.postMortem());
        // The next test shall not suffer from what this one has left behind.
        context.getRoot().getStore(NAMESPACE).remove(Start.class, Start.class).close();
      }
    }
  }

  private static Start start(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(Start.class, _ -> Start.now(), Start.class);
  }

  /** A start, also a failed one: what did not start for the first test will not for the next. */
  private record Start(@Nullable Kabar kabar, @Nullable Throwable failure)
      implements AutoCloseable {

    static Start now() {
      LocalStack stack =
          LocalStack.onFreePorts(Path.of("target", "stack-" + STARTS.incrementAndGet()))
              // Of all settings the only ones that are not as delivered: a minute for each outage.
              .with(NOTIFICATION_SERVICE, BREAKER_STAYS_OPEN, "2s")
              .with(NOTIFICATION_SERVICE, HOLD, "10s");
      try {
        stack.wipe();
        stack.start();
        return new Start(new Kabar(stack), null);
      } catch (RuntimeException | LinkageError e) {
        stack.close();
        return new Start(null, e);
      }
    }

    Kabar result() {
      if (kabar == null) {
        throw new IllegalStateException("there is no stack to test on", failure);
      }
      return kabar;
    }

    @Override
    public void close() {
      if (kabar != null) {
        kabar.close();
      }
    }
  }
}
