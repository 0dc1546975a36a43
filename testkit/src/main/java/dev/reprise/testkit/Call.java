package dev.reprise.testkit;

import dev.reprise.engine.event.EventType;
import dev.reprise.engine.replay.ActivityCall;
import dev.reprise.engine.store.Store;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of an activity, as the {@link Replacement} of the activity sees it. */
public final class Call {
  private final ActivityCall call;
  private final Store store;
  private final Appointments appointments;
  private final Thread thread = Thread.currentThread();

  Call(ActivityCall call, Store store, Appointments appointments) {
    this.call = call;
    this.store = store;
    this.appointments = appointments;
  }

  /** The workflow that calls. */
  public String workflowId() {
    return call.workflowId();
  }

  /** The activity, such as {@code Payments.charge}. */
  public String name() {
    return call.name();
  }

  /** This call of it in its run, such as {@code Payments.charge:1}. */
  public String id() {
    return call.id();
  }

  /**
   * Which attempt of this call it is, from 1. Those of which a crash left no trace do not count.
   */
  public int attempt() {
    long key = store.find(workflowId()).orElseThrow().key();
    int failure = EventType.ACTIVITY_RETRY_SCHEDULED.code();
    return 1
        + (int)
            store.history(key, 1, Integer.MAX_VALUE).stream()
                .filter(row -> row.type() == failure)
                .filter(row -> row.recorded().event().subject().equals(id()))
                .count();
  }

  /** What it is called with; nothing for a lambda under a label. */
  public List<@Nullable Object> arguments() {
    return Collections.unmodifiableList(call.arguments());
  }

  /** One of the arguments, from 0. */
  @SuppressWarnings("NullAway") // null for those that may be, as in the call itself
  public <T> T argument(int index, Class<T> type) {
    if (index < 0 || index >= call.arguments().size()) {
      throw new IllegalArgumentException(
          "%s is called with %d arguments: there is no argument %d"
              .formatted(name(), call.arguments().size(), index));
    }
    return type.cast(call.arguments().get(index));
  }

  /** Calls the activity itself. */
  public @Nullable Object proceed() throws Exception {
    return call.proceed();
  }

  /**
   * Takes so long, in the time of the test: it returns when the time has moved on.
   *
   * @throws InterruptedException if the workflow does not wait so long
   */
  public void takes(Duration duration) throws InterruptedException {
    appointments.hold(duration);
  }

  Type type() {
    return call.type();
  }

  Thread thread() {
    return thread;
  }

  @Override
  public String toString() {
    return "activity %s (%s) of '%s'".formatted(name(), id(), workflowId());
  }
}
