package dev.reprise.testkit;

import dev.reprise.engine.node.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Time that stands still until a test moves it. Several engines may share one, as they share the
 * time of the world: an engine that crashed and the one that follows it.
 */
public final class VirtualTime {
  private Instant now;
  private final List<View> views = new ArrayList<>();

  public VirtualTime(Instant start) {
    this.now = start;
  }

  /** The time as one engine sees it. */
  public synchronized Time view() {
    var view = new View();
    views.add(view);
    return view;
  }

  public synchronized Instant now() {
    return now;
  }

  /** When the next alarm goes off, if one is set. */
  public synchronized Optional<Instant> nextAlarm() {
    return views.stream()
        .flatMap(view -> Optional.ofNullable(view.alarms.peek()).stream())
        .min(Instant::compareTo);
  }

  /** Moves on and sets off what is due on the way, in order. */
  public void advance(Duration duration) {
    advanceTo(now().plus(duration));
  }

  /** Moves on to then and sets off what is due on the way, in order. */
  public void advanceTo(Instant then) {
    for (; ; ) {
      List<View> due;
      synchronized (this) {
        var next = nextAlarm().filter(alarm -> !alarm.isAfter(then));
        var stop = next.orElse(then);
        if (stop.isAfter(now)) now = stop;
        due = views.stream().filter(View::takeDue).toList();
        if (due.isEmpty() && next.isEmpty()) return;
      }
      due.forEach(View::ring);
    }
  }

  private final class View implements Time {
    private final PriorityQueue<Instant> alarms = new PriorityQueue<>();
    private Runnable alarm = () -> {};

    @Override
    public Instant now() {
      return VirtualTime.this.now().truncatedTo(ChronoUnit.MICROS); // as a database keeps it
    }

    @Override
    public void onAlarm(Runnable action) {
      alarm = action;
    }

    @Override
    public void alarmAt(Instant at) {
      boolean past;
      synchronized (VirtualTime.this) {
        past = !at.isAfter(now);
        if (!past) alarms.add(at);
      }
      if (past) ring();
    }

    /** Takes the alarms that are due; whether there were any. For the holder of the lock. */
    private boolean takeDue() {
      boolean any = false;
      while (!alarms.isEmpty() && !alarms.peek().isAfter(now)) {
        alarms.remove();
        any = true;
      }
      return any;
    }

    private void ring() {
      alarm.run();
    }

    @Override
    public void close() {
      synchronized (VirtualTime.this) {
        views.remove(this);
        alarms.clear();
      }
    }
  }
}
