package dev.reprise.engine.journal;

import dev.reprise.RepriseException;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Commits the transitions of many runs in one transaction (group commit).
 *
 * <p>Those who append put their ticket on a lock-free stack; the first one wakes the writer. The
 * writer, a platform thread, takes the whole stack, turns it round, and commits it in batches in
 * the order of appending. It never waits for more: the commit in flight is the time in which the
 * next batch gathers.
 *
 * <p>If the database does not answer, the writer tries the same batch again until it does; nobody
 * is told anything meanwhile. If the database refuses the data, or a transition cannot be sent at
 * all, the batch is halved until the transition at fault is alone; that one fails, the others are
 * stored. If the node is fenced, everything fails and nothing is ever written again. So it is after
 * an {@link Error}, which is no transition's fault: the node ends, and what was being committed may
 * be stored or not.
 */
public final class Journal implements AutoCloseable {
  private static final int MAX_RECORDS = 5_000; // bounds a statement; fewer cost throughput
  private static final int MAX_BYTES = 4 << 20; // bounds a transaction's memory and flush time
  private static final int HANDFUL = 5; // up to here the writer stays awake for those who come back
  private static final long STEP_NANOS = 100_000; // in which a lone workflow is back
  private static final int CROWD = 64; // of so many who wait, one gives way to who commits

  private final Machine machine;
  private final Store store;
  private final Lease lease;
  private final boolean beats; // whether silence would end the lease
  private final boolean watches; // where a lone workflow does not commit itself
  private final TicketStack stack = new TicketStack();
  private final CallBudget budget;
  private final AtomicBoolean writing = new AtomicBoolean();
  private final Thread writer;
  private volatile boolean watching; // the writer is not asleep, and sees what is queued
  private final JournalEnd end;
  private final Committer committer;
  private volatile int wanted = 1; // the writer is woken when so many are queued
  private final Gathering gathering = new Gathering();
  private volatile int lastBatch = 1; // how many transitions were committed together last
  private final Answers answers;
  private final Wakefulness wakefulness;

  /** Told what the writers of transitions have to know beside their own tickets. */
  public interface Listener {
    /**
     * The database refused a transition for good; what was built on it is void.
     *
     * @return whether its run is in memory: all that it has queued behind it is refused too
     */
    boolean refused(Transition transition, RuntimeException why);

    /** Nothing is written any more; everything in memory that is not durable is void. */
    void stopped(RuntimeException why);
  }

  /**
   * Starts the writer of a node that has just joined the store.
   *
   * @param beats whether to renew the lease while there is nothing to write
   */
  public Journal(
      Machine machine,
      Store store,
      UUID node,
      Lease lease,
      boolean beats,
      CallBudget budget,
      Listener listener) {
    this.machine = machine;
    this.budget = budget;
    this.answers = new Answers(machine);
    this.store = store;
    this.lease = lease;
    this.beats = beats;
    this.watches = !store.isInProcess();
    this.end = new JournalEnd(machine, listener);
    this.committer = new Committer(machine, store, node, lease, end, answers);
    this.wakefulness = new Wakefulness(machine);
    this.writer = machine.service("reprise-journal", Survival.looping(machine, this::write));
    writer.start();
  }

  /** Queues a transition, behind all that were queued before it. */
  public Ticket append(Transition transition) {
    var ticket = new Ticket(transition, this);
    push(ticket);
    if (ticket.depth == wanted) wake();
    return ticket;
  }

  /**
   * Queues a transition that is to be stored only if another one, which was queued before it, is.
   */
  public Ticket appendBehind(Ticket first, Transition transition) {
    var ticket = new DependentTicket(transition, this, first);
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

  /**
   * Queues what a caller asks for, who is going to wait for it at once.
   *
   * @throws RepriseException {@code R142} if too much waits already
   */
  public Ticket appendCall(Transition transition) {
    int cost = budget.take(transition.bytes());
    var ticket = new Ticket(transition, this);
    ticket.cost = cost;
    push(ticket);
    return ticket;
  }

  /** What a caller's ticket has taken is free again. */
  void giveBack(int cost) {
    budget.giveBack(cost);
  }

  private void push(Ticket ticket) {
    stack.push(ticket);
    if (end.isSet()) failQueued();
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
    boolean alone = stack.isOnly(ticket);
    if (alone && lastBatch == 1 && store.isInProcess()) commitQueued();
    boolean isEnough = wanted == 1 ? !stack.isEmpty() : ticket.depth == wanted;
    if (isEnough || end.isClosing()) wake();
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
    return stack.isEmpty() && !writing.get() && committer.isQuiet(); // in the order of things
  }

  /** How many batches have been committed. */
  public long committed() {
    return committer.committed();
  }

  /** Commits what is queued and stops. */
  @Override
  public void close() {
    end.close();
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

  /** Ends because of an error elsewhere in the node: nothing is written from now on. */
  public void stop(RuntimeException why) {
    if (!end.set(why)) return;
    failQueued();
    LockSupport.unpark(writer);
  }

  /** A run comes into memory as the store has it: what it writes from now on is not void. */
  public void isAsStored(long run) {
    committer.isAsStored(run);
  }

  /** Why it may be that nothing is written at the moment; empty if all is well. */
  public Optional<String> trouble() {
    if (budget.isUsedUp()) return Optional.of("calls wait for the database up to the limit");
    return answers.trouble();
  }

  private void write() {
    try {
      while (!end.isSet() && !(end.isClosing() && stack.isEmpty())) {
        if (stack.isEmpty() ? !beat() : !commitQueued()) rest();
        gather(); // last: it may take the wake-up of who closes
      }
    } catch (RuntimeException | Error e) {
      end.after(e);
    }
    while (!writing.compareAndSet(false, true)) machine.park(this, 10_000); // the last who commits
    end.setClosed();
    failQueued();
  }

  /**
   * Waits a moment for those who were just told, most of whom are back with their next step at
   * once. Else the first of them would have a commit of its own, and all others would wait for that
   * one and for theirs.
   */
  private void gather() {
    int count = gathering.expected();
    if (count < 2 || end.isClosing()) return;
    wanted = count;
    long limit = machine.nanoTime() + gathering.limitNanos();
    if (watches && count <= HANDFUL) watch(count, gathering.limitNanos());
    long left;
    while (stack.depth() < count && !end.isClosing() && (left = limit - machine.nanoTime()) > 0) {
      machine.park(this, left);
    }
    wanted = 1;
    gathering.gathered(stack.depth());
  }

  private void rest() {
    if (watches && lastBatch == 1) {
      lastBatch = 0; // once for each batch
      watch(1, STEP_NANOS); // a lone workflow was just told
      if (!stack.isEmpty()) return;
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
    machine.watch(() -> stack.depth() >= count || end.isClosing(), nanos);
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
    List<Ticket> batch = List.of();
    @Nullable Ticket backlog = null;
    try {
      batch = new ArrayList<>(); // first: without memory for it nothing is taken
      backlog = stack.takeAll();
      if (backlog == null && beat) committer.commit(batch);
      while (backlog != null && !end.isSet()) {
        backlog = take(backlog, batch);
        long sent = machine.nanoTime();
        committer.commit(batch);
        lastBatch = batch.size();
        gathering.committed(batch.size(), machine.nanoTime() - sent);
        batch.clear();
      }
    } catch (Throwable t) {
      end.after(t);
      boolean inDoubt = t instanceof Error || t instanceof Store.StoreUnavailable;
      Committer.fail(batch, inDoubt ? Committer.unknown(machine, t) : end.why());
    } finally {
      for (; backlog != null; backlog = backlog.next) backlog.complete(null, end.why());
      writing.set(false);
    }
    return true;
  }

  private void failQueued() {
    for (var t = stack.takeAll(); t != null; t = t.next) t.complete(null, end.why());
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
}
