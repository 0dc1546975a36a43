package dev.reprise.engine.journal;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits batches for the journal and notifies those who wait. For one thread at a time.
 *
 * <p>A transition that cannot be stored is found by halving its batch, whatever the store throws,
 * and fails alone. Nothing of its run is stored behind it: that would leave a gap in a history.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final int FEW = 16; // up to here the writer tells the waiters itself
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1); // less than others wait

  private final Machine machine;
  private final Store store;
  private final UUID node;
  private final Lease lease;
  private final JournalEnd end;
  private final Answers answers;
  private final Set<Long> voided = ConcurrentHashMap.newKeySet(); // runs ahead of the store
  private final AtomicInteger telling = new AtomicInteger(); // threads that wake many waiters
  private volatile long sequence; // of the last committed batch; belongs to who is writing

  Committer(Machine machine, Store store, UUID node, Lease lease, JournalEnd end, Answers answers) {
    this.machine = machine;
    this.store = store;
    this.node = node;
    this.lease = lease;
    this.end = end;
    this.answers = answers;
  }

  /** How many batches have been committed. */
  long committed() {
    return sequence;
  }

  /** Whether everybody who waited for a batch has been told. */
  boolean isQuiet() {
    return telling.get() == 0;
  }

  /** A run comes into memory as the store has it: what it writes from now on is not void. */
  void isAsStored(long run) {
    if (!voided.isEmpty()) voided.remove(run);
  }

  /** Commits them together, or those of them that can be stored. */
  void commit(List<Ticket> all) {
    var tickets = withoutVoided(all);
    if (tickets.isEmpty() && !all.isEmpty()) return;
    var transitions = new ArrayList<Transition>(tickets.size());
    for (var ticket : tickets) transitions.add(ticket.transition());
    List<Outcome> outcomes;
    try {
      outcomes = stored(transitions);
    } catch (Fenced fenced) {
      end.set(new RepriseException(fenced.code(), String.valueOf(fenced.getMessage()), fenced));
      fail(tickets, end.why());
      return;
    } catch (StoreUnavailable away) {
      throw away; // only if nobody waits for an answer
    } catch (RuntimeException | StackOverflowError unfit) {
      if (tickets.isEmpty()) throw unfit;
      bisect(tickets, unfit);
      return;
    }
    tell(List.copyOf(tickets), outcomes);
  }

  /** What a run has built on something that was refused would leave a gap in its history. */
  @SuppressWarnings("ReferenceEquality") // whether it is a copy already
  private List<Ticket> withoutVoided(List<Ticket> tickets) {
    List<Ticket> rest = tickets;
    for (int i = 0; i < tickets.size(); i++) {
      var ticket = tickets.get(i);
      boolean isVoid = isVoid(ticket);
      if (isVoid && rest == tickets) rest = new ArrayList<>(tickets.subList(0, i));
      if (isVoid) refuse(ticket, "what the run recorded before it was refused", null);
      else if (rest != tickets) rest.add(ticket);
    }
    return rest;
  }

  private boolean isVoid(Ticket ticket) {
    if (ticket instanceof DependentTicket dependent) return dependent.isVoid();
    return !voided.isEmpty()
        && ticket.transition() instanceof Append append
        && voided.contains(append.run());
  }

  /**
   * Tries until the database answers. The lease counts from the first try: if that was committed
   * and only its answer was lost, the store finds the receipt and renews nothing.
   */
  private List<Outcome> stored(List<Transition> transitions) {
    var pause = FIRST_PAUSE;
    boolean away = false;
    answers.asked();
    long sent = machine.nanoTime();
    int presence = lease.presence();
    boolean renews = lease.isDue();
    long next = sequence + 1;
    for (; ; ) {
      try {
        var outcomes = store.commit(new Batch(node, next, transitions, renews));
        if (renews) lease.renew(sent, presence);
        sequence = next;
        answers.came();
        if (away) LOG.atInfo().log("the database answers again");
        return outcomes;
      } catch (StoreUnavailable why) {
        if (end.isClosing() || end.isSet()) throw why; // nobody was told that these are durable
        answers.failed(why);
        if (!away)
          LOG.atWarn().setCause(Texts.shown(why)).log("the database does not answer, trying again");
        away = true;
        machine.park(this, pause.toNanos());
        pause = pause.multipliedBy(2);
        if (pause.compareTo(LONGEST_PAUSE) > 0) pause = LONGEST_PAUSE;
      }
    }
  }

  private void bisect(List<Ticket> tickets, Throwable unfit) {
    if (tickets.size() == 1) {
      boolean isExpected = unfit instanceof TransitionRefused;
      if (!isExpected && !(unfit instanceof Error)) commit(List.of()); // else it is the store
      if (end.isSet()) {
        fail(tickets, end.why());
        return;
      }
      LOG.atError().setCause(Texts.shown(unfit)).log("the database refused a transition");
      var what = isExpected ? String.valueOf(unfit.getMessage()) : "cannot be stored: " + unfit;
      refuse(tickets.getFirst(), what, unfit);
      return;
    }
    int half = tickets.size() / 2;
    commit(tickets.subList(0, half));
    if (!end.isSet()) commit(tickets.subList(half, tickets.size()));
    else fail(tickets, end.why());
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
              try {
                all.run();
              } catch (Error e) {
                end.after(e);
                fail(tickets, unknown(machine, e));
              } finally {
                telling.decrementAndGet();
              }
            })
        .start();
  }

  private void tell(Ticket ticket, Outcome outcome) {
    var transition = ticket.transition();
    if (outcome == Outcome.NOT_OPEN && isOfOwner(transition)) {
      refuse(ticket, "the run is not open any more", null);
      return;
    }
    try {
      ticket.complete(outcome, null);
    } catch (RuntimeException e) { // it is stored, but who waited did not go on
      LOG.atError()
          .setCause(Texts.shown(e))
          .log("a transition is stored, and its run does not go on");
      end.listener().refused(transition, e);
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
    var transition = ticket.transition();
    // What a caller asks of a held run is not built on anything in memory: it may come too late for
    // a run that goes on here.
    if (!ticket.isCall()) {
      // First: the listener may bring the run back, and what that writes is not void.
      if (transition instanceof Append append) voided.add(append.run());
      boolean inMemory = end.listener().refused(transition, why);
      if (!inMemory && transition instanceof Append append) voided.remove(append.run());
    }
    ticket.complete(null, why);
  }

  static RepriseException unknown(Machine machine, Throwable t) {
    for (; ; ) {
      try {
        return unknown(t);
      } catch (OutOfMemoryError full) {
        Survival.pause(machine);
      }
    }
  }

  private static RepriseException unknown(Throwable t) {
    return new RepriseException(
        ErrorCode.R123,
        "the commit was given up (%s). It is not known whether the call took effect: call again,"
                .formatted(t)
            + " a start with the same workflow id, a signal with the same message id",
        t);
  }

  static void fail(List<Ticket> tickets, @Nullable RuntimeException why) {
    for (var ticket : tickets) if (!ticket.isDone()) ticket.complete(null, why);
  }
}
