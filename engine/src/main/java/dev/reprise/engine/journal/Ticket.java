package dev.reprise.engine.journal;

import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A transition on its way to the disk, and those who wait for it.
 *
 * <p>There is one for every step of every workflow, so it is as small as can be: the link of the
 * journal's queue and the list of waiters are fields of it, and waiting takes no lock.
 */
public sealed class Ticket permits DependentTicket {
  private static final VarHandle WAITERS;
  private static final Waiter DONE = new Waiter(null, null, null);

  static {
    try {
      WAITERS = MethodHandles.lookup().findVarHandle(Ticket.class, "waiters", Waiter.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private @Nullable Transition transition; // until the outcome is known
  private final @Nullable Journal journal;
  int depth; // how many were queued with it, touched by the journal only
  int cost; // what it takes of the budget of callers, until the outcome is known
  @Nullable Ticket next; // link of the journal's queue, touched by the journal only
  private volatile @Nullable Waiter waiters;
  private @Nullable Outcome outcome; // written before DONE is published, read after
  private @Nullable RuntimeException failure;

  Ticket(Transition transition, Journal journal) {
    this.transition = transition;
    this.journal = journal;
  }

  private Ticket(Outcome outcome) {
    this.journal = null;
    this.outcome = outcome;
    this.waiters = DONE;
  }

  /** One that nobody has to wait for: of a run whose transitions go nowhere. */
  public static Ticket done(Outcome outcome) {
    return new Ticket(outcome);
  }

  /** For the journal, until it completes the ticket. */
  Transition transition() {
    if (transition == null) throw new IllegalStateException("the outcome is known already");
    return transition;
  }

  /** Whether a caller asked for it, and not the owner of a run. */
  boolean isCall() {
    return cost > 0;
  }

  /** Whether it is known that the transition is not stored, and never will be. */
  boolean hasFailed() {
    return isDone() && failure != null;
  }

  /** Whether the outcome is known. */
  public boolean isDone() {
    return waiters == DONE;
  }

  /**
   * Waits until the transition is durable.
   *
   * @return what the store made of it
   * @throws RuntimeException if it did not become durable and never will
   */
  public Outcome await() {
    if (journal != null && !isDone()) journal.hasten(this);
    if (journal != null && !isDone()) journal.stayAwake(this);
    if (!isDone() && add(new Waiter(Thread.currentThread(), null, waiters))) park();
    if (failure != null) throw failure;
    return known(outcome);
  }

  /**
   * Waits until the transition is durable, but not longer than that.
   *
   * @throws TimeoutException if nothing is known by then; it may still become durable
   */
  public Outcome await(Duration limit) throws TimeoutException {
    if (!isDone() && journal != null) {
      long end = journal.machine().nanoTime() + limit.toNanos();
      journal.hasten(this);
      if (!isDone()) add(new Waiter(Thread.currentThread(), null, waiters));
      if (!parkUntil(journal.machine(), end))
        throw new TimeoutException("no answer within " + limit);
    }
    if (failure != null) throw failure;
    return known(outcome);
  }

  /** Calls back once the outcome is known, at once if it is. The call must not block. */
  public void onDone(Listener listener) {
    if (!add(new Waiter(null, listener, waiters))) listener.done(outcome, failure);
  }

  /** Told what became of a transition: an outcome or a failure. */
  @FunctionalInterface
  public interface Listener {
    void done(@Nullable Outcome outcome, @Nullable RuntimeException failure);
  }

  void complete(@Nullable Outcome with, @Nullable RuntimeException orFailure) {
    outcome = with;
    failure = orFailure;
    transition = null; // a run that waits keeps its last ticket
    var waiter = (Waiter) WAITERS.getAndSet(this, DONE);
    if (cost != 0 && journal != null) journal.giveBack(cost);
    try {
      notifyAll(waiter, with, orFailure);
    } finally {
      for (var w = waiter; w != null; w = w.next) {
        if (w.thread != null) LockSupport.unpark(w.thread);
      }
    }
  }

  /** One that fails keeps no other from its turn. */
  private static void notifyAll(
      @Nullable Waiter first, @Nullable Outcome with, @Nullable RuntimeException orFailure) {
    RuntimeException failed = null;
    for (var w = first; w != null; w = w.next) {
      try {
        if (w.listener != null) w.listener.done(with, orFailure);
      } catch (RuntimeException e) {
        failed = e;
      }
    }
    if (failed != null) throw failed;
  }

  private boolean add(Waiter waiter) {
    for (; ; ) {
      var head = waiters;
      if (head == DONE) return false;
      waiter.next = head;
      if (WAITERS.compareAndSet(this, head, waiter)) return true;
    }
  }

  /** An interrupt must neither end the wait, which would be a lie, nor turn it into a spin. */
  private void park() {
    boolean interrupted = false;
    while (!isDone()) {
      LockSupport.park(this);
      if (Thread.interrupted()) interrupted = true;
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** The same until then; whether it is done. */
  private boolean parkUntil(Machine machine, long end) {
    boolean interrupted = false;
    while (!isDone() && end - machine.nanoTime() > 0) {
      machine.park(this, end - machine.nanoTime());
      if (Thread.interrupted()) interrupted = true;
    }
    if (interrupted) Thread.currentThread().interrupt();
    return isDone();
  }

  private static Outcome known(@Nullable Outcome outcome) {
    if (outcome == null) throw new IllegalStateException("a done ticket without an outcome");
    return outcome;
  }

  private static final class Waiter {
    private final @Nullable Thread thread;
    private final @Nullable Listener listener;
    private @Nullable Waiter next;

    Waiter(@Nullable Thread thread, @Nullable Listener listener, @Nullable Waiter next) {
      this.thread = thread;
      this.listener = listener;
      this.next = next;
    }
  }
}
