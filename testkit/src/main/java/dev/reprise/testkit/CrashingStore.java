package dev.reprise.testkit;

import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.Transition;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * A store whose engine dies at a chosen moment, as by {@code kill -9}: the batch in which the
 * moment falls is committed, and from then on nothing that the engine does reaches the store.
 * Another engine on the same store goes on from there.
 */
public final class CrashingStore extends ForwardingStore {
  private final Predicate<Transition> moment;
  private final CountDownLatch crashed = new CountDownLatch(1);
  private volatile Runnable onCrash = () -> {};

  /** Crashes right after the first transition that the predicate names is durable. */
  public CrashingStore(Store store, Predicate<Transition> moment) {
    super(store);
    this.moment = moment;
  }

  /** Crashes now. */
  public void crash() {
    if (hasCrashed()) return;
    crashed.countDown();
    onCrash.run();
  }

  /** Whom to tell when it crashes, on the thread that makes it crash. */
  void onCrash(Runnable action) {
    onCrash = action;
  }

  public boolean hasCrashed() {
    return crashed.getCount() == 0;
  }

  /** Waits until it has crashed. */
  public void awaitCrash() throws InterruptedException {
    crashed.await();
  }

  /** The batch that holds the moment is stored, but nobody is ever told. */
  @Override
  public List<Outcome> commit(Batch batch) {
    if (hasCrashed()) throw crashedByTest();
    var outcomes = super.commit(batch);
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) != Outcome.STORED || !moment.test(batch.transitions().get(i))) continue;
      crash();
      throw crashedByTest();
    }
    return outcomes;
  }

  private static Fenced crashedByTest() {
    return new Fenced("the test crashed this engine").intended();
  }

  @Override
  public void leave(UUID node) {
    if (!hasCrashed()) super.leave(node);
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    return hasCrashed() ? List.of() : super.claim(claim);
  }

  @Override
  public TaskStore tasks() {
    var tasks = super.tasks();
    return (TaskStore)
        Proxy.newProxyInstance(
            TaskStore.class.getClassLoader(),
            new Class<?>[] {TaskStore.class},
            (_, method, arguments) -> {
              if (hasCrashed()) return afterCrash(method);
              try {
                return method.invoke(tasks, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }

  /** Nothing is there any more for those who look, and nothing can be changed. */
  private static Object afterCrash(Method method) {
    return switch (method.getName()) {
      case "take", "overdue", "workers" -> List.of();
      case "nextOverdue", "nextReady" -> Optional.empty();
      case "waitingSince", "namesWaiting" -> Map.of();
      default -> throw crashedByTest();
    };
  }

  /** The engine goes, the store stays. */
  @Override
  public void close() {}
}
