package dev.reprise.engine.replay;

import dev.reprise.Context;
import dev.reprise.engine.machine.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread of workflow code: the workflow's method, or a branch of it.
 *
 * <p>A virtual thread that runs only when it is given the baton. An activity that it calls is run
 * by this same thread, but without the baton.
 */
final class Fiber {
  private static final ScopedValue<Fiber> CURRENT = ScopedValue.newInstance();

  private final Stage stage;
  private final Thread thread;
  private volatile boolean turn; // the baton is handed over
  private volatile boolean launch; // the activity it waits for may begin
  private volatile boolean outside; // running an activity, without the baton
  private int refusals; // how often it called the context of a dead run; its own thread's

  // The rest belongs to whoever holds the baton.
  private @Nullable Fiber parent;
  private @Nullable List<Fiber> children;
  private @Nullable Wait wait;
  private boolean queued; // in the line of those that get the baton
  private boolean started;
  private final CancelScope own;
  private CancelScope scope; // what its code is in at the moment

  Fiber(
      Machine machine,
      Stage stage,
      String name,
      @Nullable Fiber parent,
      CancelScope own,
      Context context,
      Consumer<Fiber> body) {
    this.stage = stage;
    this.parent = parent;
    this.own = own;
    this.scope = own;
    if (parent != null) parent.adopt(this);
    this.thread =
        machine.fiber(
            name,
            () -> {
              turn = false;
              ScopedValue.where(CURRENT, this)
                  .where(Context.CURRENT, context)
                  .run(() -> body.accept(this));
            });
  }

  /** The fiber of the current thread, if it is one of workflow code. */
  static @Nullable Fiber current() {
    if (!CURRENT.isBound()) return null;
    var fiber = CURRENT.get();
    return Thread.currentThread().equals(fiber.thread) ? fiber : null; // scopes inherit bindings
  }

  private void adopt(Fiber child) {
    if (children == null) children = new ArrayList<>();
    children.add(child);
  }

  Stage stage() {
    return stage;
  }

  Thread thread() {
    return thread;
  }

  /** Whether it must be put in the line: it may stand there once only. */
  boolean queue() {
    if (queued) return false;
    queued = true;
    return true;
  }

  void unqueue() {
    queued = false;
  }

  /** Hands it the baton. */
  void give() {
    turn = true;
    if (started) {
      LockSupport.unpark(thread);
    } else {
      started = true;
      thread.start();
    }
  }

  /** Lets it run its activity, without the baton. */
  void launch() {
    outside = true;
    launch = true;
    LockSupport.unpark(thread);
  }

  /** Waits for the baton (true) or for its activity to begin (false). */
  boolean awaitTurn() {
    boolean interrupted = false;
    while (!turn && !launch) {
      LockSupport.park(this);
      if (Thread.interrupted()) interrupted = true; // else the next park would not wait
    }
    if (interrupted) Thread.currentThread().interrupt();
    if (turn) {
      turn = false;
      return true;
    }
    launch = false;
    return false;
  }

  /** Counts a call of the context after the run has left memory. */
  int countRefusal() {
    return ++refusals;
  }

  void backInside() {
    outside = false;
  }

  boolean isOutside() {
    return outside;
  }

  /** Whether it stands still somewhere and can be ended there. */
  boolean isUnwindable() {
    return started && !outside && wait != null;
  }

  void waitFor(@Nullable Wait what) {
    wait = what;
  }

  @Nullable Wait waitingFor() {
    return wait;
  }

  /** Whether what it does is not wanted any more. */
  boolean isCancelled() {
    return scope.isCancelled();
  }

  /** That of its whole code. */
  CancelScope own() {
    return own;
  }

  /** What its code is in at the moment. */
  CancelScope scope() {
    return scope;
  }

  /** Its code goes into a scope, or back out of one. */
  void within(CancelScope now) {
    scope = now;
  }

  List<Fiber> children() {
    return children == null ? List.of() : children;
  }

  /** It has ended: its parent knows its children from now on, and need not know itself. */
  void bequeath() {
    if (parent == null) return;
    if (parent.children != null) parent.children.remove(this);
    for (var child : children()) {
      child.parent = parent;
      parent.adopt(child);
    }
  }
}
