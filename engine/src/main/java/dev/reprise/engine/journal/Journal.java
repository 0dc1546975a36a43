package dev.reprise.engine.journal;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the transitions of many runs in one transaction (group commit).
 *
 * <p>Those who append put their ticket on a lock-free stack; the first one wakes the writer. The
 * writer, a platform thread, takes the whole stack, turns it round, and commits it in batches in
 * the order of appending. It never waits for more: the commit in flight is the time in which the
 * next batch gathers.
 *
 * <p>If the database does not answer, the writer tries the same batch again until it does; nobody
 * is told anything meanwhile. If the database refuses the data, the batch is halved until the
 * transition at fault is alone; that one fails, the others are stored. If the node is fenced,
 * everything fails and nothing is ever written again.
 */
public final class Journal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final int MAX_RECORDS = 5_000; // bounds a statement; fewer cost throughput
  private static final int MAX_BYTES = 4 << 20; // bounds a transaction's memory and flush time
  private static final int FEW = 16; // up to here the writer tells the waiters itself
  private static final int HANDFUL = 5; // up to here the writer stays awake for those who come back
  private static final long STEP_NANOS = 100_000; // in which a lone workflow is back
  private static final int CROWD = 64; // of so many who wait, one gives way to who commits
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1); // less than others wait

  private final Machine machine;
  private final Store store;
  private final UUID node;
  private final Lease lease;
  private final boolean beats; // whether silence would end the lease
  private final boolean watches; // where a lone workflow does not commit itself
  private final Listener listener;
  private final AtomicReference<@Nullable Ticket> stack = new AtomicReference<>();
  private final AtomicBoolean writing = new AtomicBoolean();
  private final Thread writer;
  private volatile boolean watching; // the writer is not asleep, and sees what is queued
  private volatile boolean closing;
  private volatile @Nullable RuntimeException end; // why nothing is written any more
  private volatile int wanted = 1; // the writer is woken when so many are queued
  private final Gathering gathering = new Gathering();
  private volatile int lastBatch = 1; // how many transitions were committed together last
  private volatile long sequence; // of the last committed batch; belongs to who is writing
  private final Wakefulness wakefulness;
  private final AtomicInteger telling = new AtomicInteger(); // threads that wake many waiters

  /** Told what the writers of transitions have to know beside their own tickets. */
  public interface Listener {
    /** The database refused a transition for good; what was built on it is void. */
    void refused(Transition transition, RuntimeException why);

    /** Nothing is written any more; everything in memory that is not durable is void. */
    void stopped(RuntimeException why);
  }

  /**
   * Starts the writer of a node that has just joined the store.
   *
   * @param beats whether to renew the lease while there is nothing to write
   */
  public Journal(
      Machine machine, Store store, UUID node, Lease lease, boolean beats, Listener listener) {
    this.machine = machine;
    this.store = store;
    this.node = node;
    this.lease = lease;
    this.beats = beats;
    this.watches = !store.isInProcess();
    this.listener = listener;
    this.wakefulness = new Wakefulness(machine);
    this.writer = machine.service("reprise-journal", this::write);
    writer.start();
  }

  /** Queues a transition, behind all that were queued before it. */
  public Ticket append(Transition transition) {
    var ticket = new Ticket(transition, this);
    push(ticket);
    if (ticket.depth == wanted) wake();
    return ticket;
  }

  /** Queues a transition for which a thread is going to wait at once: that wakes the writer. */
  public Ticket appendAwaited(Transition transition) {
    var ticket = new Ticket(transition, this);
    push(ticket);
    return ticket;
  }

  private void push(Ticket ticket) {
    Ticket head;
    do {
      head = stack.get();
      ticket.next = head;
      ticket.depth = depth(head) + 1;
    } while (!stack.compareAndSet(head, ticket));
    if (end != null) failQueued();
  }

  private static int depth(@Nullable Ticket top) {
    return top == null ? 0 : top.depth;
  }

  /**
   * A thread begins to wait for a ticket. A lone workflow's thread commits it itself, if the
   * database is in this process: to hand it to the writer and to be woken again would take half as
   * long as the commit. Where several workflows commit together the writer does it, so that the
   * threads of the others do not stand still meanwhile. But where there are many, their threads
   * would keep all processors from the writer and from the database for milliseconds at a time: so
   * they give way now and then.
   */
  void hasten(Ticket ticket) {
    boolean alone = ticket.next == null && stack.get() == ticket;
    if (alone && lastBatch == 1 && store.isInProcess()) commitQueued();
    boolean isEnough = wanted == 1 ? stack.get() != null : ticket.depth == wanted;
    if (isEnough || closing) wake();
    if (ticket.depth % CROWD == 0) machine.giveWay();
  }

  /** The thread of a lone workflow does, until the ticket is done or that has taken long. */
  void stayAwake(Ticket ticket) {
    if (watches && lastBatch <= 1) wakefulness.stay(ticket);
  }

  private void wake() {
    if (!watching) LockSupport.unpark(writer);
  }

  Machine machine() {
    return machine;
  }

  /** Whether nothing is queued and everybody who waited has been told. */
  public boolean isIdle() {
    return stack.get() == null && !writing.get() && telling.get() == 0; // in the order of things
  }

  /** How many batches have been committed. */
  public long committed() {
    return sequence;
  }

  /** Commits what is queued and stops. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(writer);
    joinWriter();
  }

  private void joinWriter() {
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  private void write() {
    while (end == null && !(closing && stack.get() == null)) {
      if (stack.get() == null ? !beat() : !commitQueued()) rest();
      gather(); // last: it may take the wake-up of who closes
    }
    while (!writing.compareAndSet(false, true)) machine.park(this, 10_000); // the last who commits
    if (end == null) end = new RepriseException(ErrorCode.R119, "the engine is closed");
    failQueued();
  }

  /**
   * Waits a moment for those who were just told, most of whom are back with their next step at
   * once. Else the first of them would have a commit of its own, and all others would wait for that
   * one and for theirs.
   */
  private void gather() {
    int count = gathering.expected();
    if (count < 2 || closing) return;
    wanted = count;
    long end = machine.nanoTime() + gathering.limitNanos();
    if (watches && count <= HANDFUL) watch(count, gathering.limitNanos());
    long left;
    while (depth(stack.get()) < count && !closing && (left = end - machine.nanoTime()) > 0) {
      machine.park(this, left);
    }
    wanted = 1;
    gathering.gathered(depth(stack.get()));
  }

  private void rest() {
    if (watches && lastBatch == 1) {
      lastBatch = 0; // once for each batch
      watch(1, STEP_NANOS); // a lone workflow was just told
      if (stack.get() != null) return;
    }
    if (!beats) LockSupport.park(this);
    else machine.park(this, Math.max(1, lease.nanosToRenewal()));
  }

  /**
   * Stays awake for so many who are about to come, and who need not wake the writer then. See ADR
   * 0023.
   */
  private void watch(int count, long nanos) {
    watching = true;
    machine.watch(() -> depth(stack.get()) >= count || closing, nanos);
    watching = false; // who came before that has woken nobody: look once more
  }

  /** Renews the lease by a batch of nothing when it is time. */
  private boolean beat() {
    return beats && lease.nanosToRenewal() <= 0 && commitQueued(true);
  }

  /** Commits all that is queued; false if somebody else is writing, who will wake the writer. */
  private boolean commitQueued() {
    return commitQueued(false);
  }

  /** The same; if that is nothing, a batch of nothing when the lease needs it. */
  private boolean commitQueued(boolean beat) {
    if (!writing.compareAndSet(false, true)) return false;
    var batch = new ArrayList<Ticket>();
    @Nullable Ticket backlog = oldestFirst(stack.getAndSet(null));
    try {
      if (backlog == null && beat) commit(batch);
      while (backlog != null && end == null) {
        backlog = take(backlog, batch);
        long sent = machine.nanoTime();
        commit(batch);
        lastBatch = batch.size();
        gathering.committed(batch.size(), machine.nanoTime() - sent);
        batch.clear();
      }
    } catch (Throwable t) {
      LOG.atError().setCause(t).log("the journal stopped");
      var why = new RepriseException(ErrorCode.R118, "the journal stopped: " + t, t);
      end = why;
      listener.stopped(why);
      fail(batch);
    } finally {
      for (; backlog != null; backlog = backlog.next) backlog.complete(null, end);
      writing.set(false);
    }
    return true;
  }

  private void failQueued() {
    for (var t = stack.getAndSet(null); t != null; t = t.next) t.complete(null, end);
  }

  private void fail(List<Ticket> tickets) {
    for (var ticket : tickets) if (!ticket.isDone()) ticket.complete(null, end);
  }

  private static @Nullable Ticket oldestFirst(@Nullable Ticket newest) {
    Ticket first = null;
    for (var t = newest; t != null; ) {
      var older = t.next;
      t.next = first;
      first = t;
      t = older;
    }
    return first;
  }

  /** Fills the batch and returns what is left. */
  private static @Nullable Ticket take(Ticket first, List<Ticket> batch) {
    int bytes = 0;
    @Nullable Ticket t = first;
    while (t != null && batch.size() < MAX_RECORDS && bytes < MAX_BYTES) {
      bytes += t.transition().bytes();
      batch.add(t);
      t = t.next;
    }
    return t;
  }

  private void commit(List<Ticket> tickets) {
    var transitions = new ArrayList<Transition>(tickets.size());
    for (var ticket : tickets) transitions.add(ticket.transition());
    try {
      tell(List.copyOf(tickets), stored(transitions));
    } catch (TransitionRefused refused) {
      bisect(tickets, refused);
    } catch (Fenced fenced) {
      var why = new RepriseException(ErrorCode.R122, String.valueOf(fenced.getMessage()), fenced);
      end = why;
      listener.stopped(why); // first: who is told of a failure must know what it means
      fail(tickets);
    }
  }

  /** Tries until the database answers. */
  private List<Outcome> stored(List<Transition> transitions) {
    var pause = FIRST_PAUSE;
    boolean away = false;
    for (; ; ) {
      try {
        long sent = machine.nanoTime();
        int presence = lease.presence();
        long next = sequence + 1;
        boolean renews = lease.isDue();
        var outcomes = store.commit(new Batch(node, next, transitions, renews));
        if (renews) lease.renew(sent, presence);
        sequence = next;
        if (away) LOG.atInfo().log("the database answers again");
        return outcomes;
      } catch (StoreUnavailable why) {
        if (closing) throw why; // nobody was told that these are durable
        if (!away) LOG.atWarn().setCause(why).log("the database does not answer, trying again");
        away = true;
        machine.park(this, pause.toNanos());
        pause = pause.multipliedBy(2);
        if (pause.compareTo(LONGEST_PAUSE) > 0) pause = LONGEST_PAUSE;
      }
    }
  }

  private void bisect(List<Ticket> tickets, TransitionRefused refused) {
    if (tickets.size() == 1) {
      LOG.atError().setCause(refused).log("the database refused a transition");
      refuse(tickets.getFirst(), String.valueOf(refused.getMessage()), refused);
      return;
    }
    int half = tickets.size() / 2;
    commit(tickets.subList(0, half));
    if (end == null) commit(tickets.subList(half, tickets.size()));
    else fail(tickets);
  }

  /** Wakes many waiters from a thread of its own, so that the writer is back at work sooner. */
  private void tell(List<Ticket> tickets, List<Outcome> outcomes) {
    Runnable all =
        () -> {
          for (int i = 0; i < tickets.size(); i++) tell(tickets.get(i), outcomes.get(i));
        };
    if (tickets.size() <= FEW) {
      all.run();
      return;
    }
    telling.incrementAndGet();
    machine
        .fiber(
            "reprise-telling",
            () -> {
              all.run();
              telling.decrementAndGet();
            })
        .start();
  }

  private void tell(Ticket ticket, Outcome outcome) {
    if (outcome == Outcome.NOT_OPEN && isOfOwner(ticket.transition())) {
      refuse(ticket, "the run is not open any more", null);
    } else {
      ticket.complete(outcome, null);
    }
  }

  /** Whether only the owner of an open run writes such a thing. */
  private static boolean isOfOwner(Transition transition) {
    if (!(transition instanceof Append append)) return false;
    return switch (append.change()) {
      case RunChange.Unblock _, RunChange.Begin _ -> false;
      default -> true;
    };
  }

  private void refuse(Ticket ticket, String message, @Nullable Throwable cause) {
    var why = new RepriseException(ErrorCode.R121, message, cause);
    listener.refused(ticket.transition(), why); // first: who is told may bring the run back
    ticket.complete(null, why);
  }
}
