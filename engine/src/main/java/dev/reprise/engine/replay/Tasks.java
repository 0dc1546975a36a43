package dev.reprise.engine.replay;

import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.NewTask;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is put on a queue by an event. */
public final class Tasks {
  private Tasks() {}

  public static NewTask of(Recorded recorded, ActivityScheduled activity) {
    var queueing = activity.queueing();
    var at = recorded.at();
    return new NewTask(
        recorded.index(),
        queueing.queue(),
        activity.call().name(),
        queueing.key(),
        queueing.priority(),
        at,
        queueing.lease(),
        queueing.timeout(),
        after(at, queueing.patience()),
        after(at, queueing.total()),
        null,
        false);
  }

  private static @Nullable Instant after(Instant from, @Nullable Duration duration) {
    return duration == null ? null : Decider.after(from, duration);
  }
}
