package dev.reprise.verification.queues;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.Transition;
import dev.reprise.testkit.ForwardingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store whose methods fail as a test wants it, with what no store should throw. */
final class FaultyStore extends ForwardingStore {
  private final Map<String, Fault> faults = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Lost> lost = new AtomicReference<>();
  private volatile Predicate<Transition> poison = _ -> false;
  private volatile UnaryOperator<EventRow> events = event -> event;
  private volatile UnaryOperator<Handout> handouts = task -> task;

  /** What a method throws, and how often still. */
  private record Fault(Supplier<? extends Throwable> thrown, int times) {}

  private record Lost(Predicate<Transition> of, Supplier<? extends Throwable> thrown) {}

  FaultyStore(Store store) {
    super(store);
  }

  /** The method fails so many times from now on. */
  void fail(String method, int times, Supplier<? extends Throwable> thrown) {
    faults.put(method, new Fault(thrown, times));
  }

  /** The method works again. */
  void heal(String method) {
    faults.remove(method);
  }

  /** Whether the method has failed as often as it was to. */
  boolean hasFailed(String method) {
    return !faults.containsKey(method);
  }

  /** Transitions that cannot be stored. */
  void refuse(Predicate<Transition> which) {
    poison = which;
  }

  /** The first batch with such a transition is stored, and its answer fails. */
  void loseAnswer(Predicate<Transition> of, Supplier<? extends Throwable> thrown) {
    lost.set(new Lost(of, thrown));
  }

  private void meetLost(Batch batch) {
    var next = lost.get();
    if (next == null || batch.transitions().stream().noneMatch(next.of())) return;
    if (lost.compareAndSet(next, null)) FaultyStore.<RuntimeException>sneak(next.thrown().get());
  }

  /** What histories have instead of their events. */
  void change(UnaryOperator<EventRow> change) {
    events = change;
  }

  /** What workers get instead of their tasks. */
  void changeHandouts(UnaryOperator<Handout> change) {
    handouts = change;
  }

  private void meet(String method) {
    var fault =
        faults.computeIfPresent(
            method, (_, f) -> f.times() == 0 ? null : new Fault(f.thrown(), f.times() - 1));
    if (fault == null) return;
    if (fault.times() == 0) faults.remove(method);
    FaultyStore.<RuntimeException>sneak(fault.thrown().get());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public void join(Joining node) {
    meet("join");
    super.join(node);
  }

  @Override
  public List<Outcome> commit(Batch batch) {
    meet("commit");
    if (batch.transitions().stream().anyMatch(poison)) throw new ArithmeticException("overflow");
    var outcomes = super.commit(batch);
    meet("answer");
    meetLost(batch);
    return outcomes;
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    meet("claim");
    return super.claim(claim);
  }

  @Override
  public Map<Long, Stored> load(Collection<Long> runs, int events) {
    meet("load");
    return super.load(runs, events);
  }

  @Override
  public Optional<RunRow> find(String workflowId) {
    meet("find");
    return super.find(workflowId);
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    meet("history");
    return super.history(run, fromIndex, limit).stream().map(events).toList();
  }

  @Override
  public Optional<Instant> nextWake(UUID node, List<String> workflows) {
    meet("nextWake");
    return super.nextWake(node, workflows);
  }

  @Override
  public TaskStore tasks() {
    var tasks = super.tasks();
    return (TaskStore)
        Proxy.newProxyInstance(
            TaskStore.class.getClassLoader(),
            new Class<?>[] {TaskStore.class},
            (_, method, arguments) -> {
              meet(method.getName());
              try {
                var answer = method.invoke(tasks, arguments);
                return method.getName().equals("take") ? changed(answer) : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }

  private List<Handout> changed(Object taken) {
    return ((List<?>) taken).stream().map(Handout.class::cast).map(handouts).toList();
  }
}
