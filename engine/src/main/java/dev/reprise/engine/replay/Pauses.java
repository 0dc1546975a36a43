package dev.reprise.engine.replay;

import dev.reprise.Signal;
import dev.reprise.engine.bind.CallSite;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.replay.Wait.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Where workflow code waits for time, for signals and for itself. */
final class Pauses {
  private final LiveRun run;
  private final Values values;
  private final Ids ids;
  private final Branches branches;

  Pauses(LiveRun run, Values values, Ids ids, Branches branches) {
    this.run = run;
    this.values = values;
    this.ids = ids;
    this.branches = branches;
  }

  private Fiber enter() {
    return run.stage().cast().enter();
  }

  void await(BooleanSupplier condition) {
    var fiber = enter();
    if (condition.getAsBoolean()) return;
    awaitCondition(
        new Wait(Kind.CONDITION, fiber, null, "a condition", CallSite.find()), condition);
  }

  boolean await(Duration limit, BooleanSupplier condition) {
    var fiber = enter();
    var wait = branches.limited(Kind.CONDITION, fiber, "await", limit, "a condition");
    if (condition.getAsBoolean()) return true;
    run.stage().waits().register(wait);
    return awaitCondition(wait, condition);
  }

  private boolean awaitCondition(Wait wait, BooleanSupplier condition) {
    try {
      boolean holds = false;
      while (!holds && !wait.timedOut) {
        run.stage().waits().addCondition(wait);
        run.await(wait.fiber, wait);
        holds = condition.getAsBoolean();
      }
      return holds;
    } finally {
      run.stage().waits().forget(wait); // also if the condition throws
      run.stage().waits().progressed();
    }
  }

  void sleep(Duration duration) {
    var fiber = enter();
    if (!duration.isPositive()) return;
    var id = ids.next("sleep");
    sleep(fiber, id, new Command.Sleep(id, duration), "sleeps for " + duration);
  }

  void sleepUntil(Instant instant) {
    var fiber = enter();
    if (!instant.isAfter(run.stage().state().now())) return;
    var id = ids.next("sleep");
    sleep(fiber, id, new Command.SleepUntil(id, instant), "sleeps until " + instant);
  }

  private void sleep(Fiber fiber, String id, Command command, String what) {
    var site = CallSite.find();
    run.stage().record(command, what, site);
    var wait = new Wait(Kind.SLEEP, fiber, id, "a sleep", site);
    wait.due = run.stage().state().timers().get(id);
    run.stage().waits().register(wait);
    run.await(fiber, wait);
  }

  /** The next one of that signal, or of any; null when the time is over. */
  @Nullable Received next(@Nullable Signal<?> signal, @Nullable Duration limit) {
    var fiber = enter();
    var name = signal == null ? null : signal.name();
    var counter = name == null ? "receive" : "receive " + name;
    var what = name == null ? "any signal" : "signal '" + name + "'";
    var wait =
        limit == null
            ? new Wait(Kind.SIGNAL, fiber, ids.next(counter), what, CallSite.find())
            : branches.limited(Kind.SIGNAL, fiber, counter, limit, what);
    var waiting = run.stage().waits().signals().take(name);
    if (waiting != null) return received(waiting);
    run.stage().waits().signals().receive(signal, wait);
    run.stage().waits().register(wait);
    run.await(fiber, wait);
    return wait.outcome instanceof SignalReceived arrived ? received(arrived) : null;
  }

  private Received received(SignalReceived signal) {
    return new Received(signal, values, run.stage().isNew());
  }
}
