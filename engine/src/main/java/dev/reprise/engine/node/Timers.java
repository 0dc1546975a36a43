package dev.reprise.engine.node;

import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
import dev.reprise.engine.replay.RunPort;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that is to happen at some time, in the order of time and then of asking. Without
 * locks; a cancelled entry is gone at once, so that short waits with long limits leave nothing.
 */
final class Timers {
  private static final Logger LOG = LoggerFactory.getLogger(Timers.class);

  private final Machine machine;
  private final Time time;
  private final ConcurrentSkipListMap<Key, Runnable> pending = new ConcurrentSkipListMap<>();
  private final AtomicLong order = new AtomicLong();
  private final Consumer<Error> onError;

  private record Key(Instant due, long order) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byTime = due.compareTo(other.due);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  Timers(Time time) {
    this(Machine.REAL, time, _ -> {});
  }

  /**
   * @param onError notified of errors of those whose time has come
   */
  Timers(Machine machine, Time time, Consumer<Error> onError) {
    this.machine = machine;
    this.time = time;
    this.onError = onError;
    time.onAlarm(this::fire);
  }

  RunPort.Timer at(Instant due, Runnable action) {
    var key = new Key(due, order.incrementAndGet());
    pending.put(key, action);
    var first = pending.firstEntry(); // none if it has gone off already
    if (first != null && first.getKey().equals(key)) time.alarmAt(due);
    return () -> pending.remove(key);
  }

  private void fire() {
    for (; ; ) {
      var first = pending.firstEntry();
      if (first == null) return;
      if (first.getKey().due().isAfter(time.now())) {
        time.alarmAt(first.getKey().due());
        return;
      }
      if (pending.remove(first.getKey(), first.getValue())) run(first.getValue());
    }
  }

  private void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.atError().setCause(Texts.shown(e)).log("a timer failed");
    } catch (Error e) {
      Survival.of(machine, e, onError);
    }
  }

  /** When the next one goes off. */
  Optional<Instant> first() {
    var first = pending.firstEntry();
    return first == null ? Optional.empty() : Optional.of(first.getKey().due());
  }

  int size() {
    return pending.size();
  }
}
