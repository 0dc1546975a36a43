package dev.reprise.engine.replay;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What exactly one thread of a run holds at any time, and the order in which it goes round.
 *
 * <p>Who holds the baton and has nothing more to do passes it on: to the next fiber that is ready,
 * first come, first served; if none is, the run takes its next event; if it has none, the next
 * message in the mailbox is handled. If there is nothing at all the baton lies down, and whoever
 * posts the next message picks it up. So no thread is needed that does nothing but schedule, and a
 * workflow of one branch goes from step to step without a single switch of threads.
 */
final class Baton {

  /** Something from outside, handled by whoever holds the baton. */
  interface Message {
    void handle();

    /** The run will not handle it any more. */
    default void refuse() {}

    /** A message that does this, or that if it is refused. */
    static Message of(Runnable handling, Runnable refusing) {
      return new Note(handling, refusing, false);
    }

    /** The same, at any time. */
    static Message internal(Runnable handling, Runnable refusing) {
      return new Note(handling, refusing, true);
    }

    /** Whether it is handled even while the run waits for its own end to become durable. */
    default boolean isInternal() {
      return false;
    }
  }

  private record Note(Runnable handling, Runnable refusing, boolean isInternal) implements Message {
    @Override
    public void handle() {
      handling.run();
    }

    @Override
    public void refuse() {
      refusing.run();
    }
  }

  /** The run, as far as the baton needs it. */
  interface Rounds {
    /** Whether fibers may have the baton: not while the run's end is on its way to the disk. */
    boolean mayRun();

    /** All fibers wait: makes one ready by the next event that is at hand. False if none is. */
    boolean nextEvent();

    /** Handles a message or refuses it. */
    void accept(Message message);

    /** All fibers wait and the mailbox is empty. May make fibers ready. */
    void idle();
  }

  private final Rounds rounds;
  private final Queue<Message> mailbox = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<Fiber> ready = new ArrayDeque<>(2);
  private final AtomicBoolean taken = new AtomicBoolean();
  private volatile long turnSince; // when the present fiber got its turn; 0 when none has it
  private volatile @Nullable Fiber holder;

  Baton(Rounds rounds) {
    this.rounds = rounds;
  }

  /** Leaves a message. The caller may have to handle it, and what follows from it. */
  void post(Message message) {
    mailbox.add(message);
    if (taken.compareAndSet(false, true)) pass(null);
  }

  /** A fiber outside leaves a message and waits. True when it has the baton, else launched. */
  boolean postAndAwait(Fiber self, Message message) {
    mailbox.add(message);
    if (taken.compareAndSet(false, true) && pass(self)) return true;
    return self.awaitTurn();
  }

  /** The holder passes the baton on and waits. True when it has it again, else launched. */
  boolean yield(Fiber self) {
    return pass(self) || self.awaitTurn();
  }

  /** The holder ends. */
  void end() {
    pass(null);
  }

  /** Puts a fiber at the end of the line. Only for the holder. */
  void ready(Fiber fiber) {
    if (fiber.queue()) ready.add(fiber);
  }

  boolean hasReady() {
    return !ready.isEmpty();
  }

  /** Whether no message waits. */
  boolean isMailboxEmpty() {
    return mailbox.isEmpty();
  }

  /** The thread of workflow code that has been running since before that time, if there is one. */
  @Nullable Thread runningSince(long nanoTime) {
    long since = turnSince;
    var fiber = holder;
    return since != 0 && since - nanoTime < 0 && fiber != null ? fiber.thread() : null;
  }

  /** When the present fiber got its turn, by {@link System#nanoTime}; 0 when none has it. */
  long turnBegan() {
    return turnSince;
  }

  private boolean pass(@Nullable Fiber self) {
    for (; ; ) {
      var next = rounds.mayRun() ? ready.poll() : null;
      if (next != null) {
        next.unqueue();
        holder = next;
        turnSince = System.nanoTime() | 1;
        if (next == self) return true;
        next.give();
        return false;
      }
      holder = null;
      turnSince = 0;
      if (rounds.nextEvent()) continue;
      var message = mailbox.poll();
      if (message != null) {
        rounds.accept(message);
        continue;
      }
      rounds.idle();
      if (!ready.isEmpty() && rounds.mayRun()) continue;
      taken.set(false);
      if (mailbox.isEmpty() || !taken.compareAndSet(false, true)) return false;
    }
  }
}
