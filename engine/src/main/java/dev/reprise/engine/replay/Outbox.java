package dev.reprise.engine.replay;

import static java.util.Collections.emptyList;

import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run has recorded and not yet handed to the journal, and who is to be told when it is
 * durable. Belongs to whoever holds the baton.
 */
final class Outbox {
  private static final int MAX_BYTES = 1 << 20; // well below the limit of a transition

  private final long run;
  private final RunPort port;
  private List<Recorded> events = emptyList();
  private List<Long> consumed = emptyList();
  private List<Ticket.Listener> listeners = emptyList();
  private List<Long> consumedAtEnd = emptyList();
  private List<Ticket.Listener> endListeners = emptyList();
  private List<Delivery> deliveries = emptyList();
  private List<NewTask> tasks = emptyList();
  private List<Integer> cancelled = emptyList();
  private List<Integer> cancelledAtEnd = emptyList();
  private @Nullable String attributes; // of the run's row, if they have changed
  private int bytes;
  private @Nullable Ticket last;

  Outbox(long run, RunPort port) {
    this.run = run;
    this.port = port;
  }

  void add(Recorded event) {
    events = Sparse.add(events, event);
    var payload = event.event().payload();
    bytes += 200 + (payload == null ? 0 : payload.size());
  }

  /** Something for another workflow, accepted with what is in here. */
  void deliver(Delivery delivery) {
    deliveries = Sparse.add(deliveries, delivery);
    bytes += 200 + delivery.value().length;
  }

  /** An activity for a queue, put there with what is in here. */
  void schedule(NewTask task) {
    tasks = Sparse.add(tasks, task);
    bytes += 100;
  }

  /** An activity on a queue that nobody wants any more, by the index of its event. */
  void cancel(int index) {
    cancelled = Sparse.add(cancelled, index);
  }

  /** The same, if the run ends with what is in here. */
  void cancelAtEnd(int index) {
    cancelledAtEnd = Sparse.add(cancelledAtEnd, index);
  }

  /** What the run can be found by from now on. */
  void attributes(String json) {
    attributes = json;
  }

  /** An input of the store became part of the history with what is in here. */
  void consume(long input) {
    consumed = Sparse.add(consumed, input);
  }

  /** An input of the store means the end of the run: it stays there until that is durable. */
  void consumeAtEnd(long input) {
    consumedAtEnd = Sparse.add(consumedAtEnd, input);
  }

  /** Tells when the end of the run is durable, or that the run left memory before. */
  void onEnd(Ticket.Listener listener) {
    endListeners = Sparse.add(endListeners, listener);
  }

  /** Tells when what is in here is durable, or never will be. */
  void onDurable(Ticket.Listener listener) {
    listeners = Sparse.add(listeners, listener);
  }

  /** Tells when everything that was recorded up to now is durable, or never will be. */
  void afterAll(Ticket.Listener listener) {
    if (!isEmpty()) onDurable(listener);
    else if (last != null) last.onDone(listener);
    else listener.done(Outcome.STORED, null);
  }

  boolean isEmpty() {
    return events.isEmpty() && consumed.isEmpty();
  }

  /** Whether it should not grow any more before it is handed over. */
  boolean isFull() {
    return bytes > MAX_BYTES;
  }

  /** Hands everything to the journal in one transition. */
  Ticket flush(RunChange change) {
    return flush(change, false);
  }

  /** The same; a thread of the run may be going to wait for it at once. */
  Ticket flush(RunChange change, boolean awaited) {
    var rows = new ArrayList<EventRow>(events.size());
    for (var event : events) rows.add(EventRow.of(event));
    return hand(
        new Transition.Append(
            run, rows, consumed, change, deliveries, attributes, tasks, cancelled),
        awaited);
  }

  /** Hands everything to the journal with the run's end; others are told with it. */
  Ticket flushEnd(RunChange change, List<Delivery> farewell) {
    var rows = new ArrayList<EventRow>(events.size());
    for (var event : events) rows.add(EventRow.of(event));
    var all = new ArrayList<>(deliveries);
    all.addAll(farewell);
    var inputs = new ArrayList<>(consumed);
    inputs.addAll(consumedAtEnd);
    var unwanted = new ArrayList<>(cancelled);
    unwanted.addAll(cancelledAtEnd);
    var ticket =
        hand(
            new Transition.Append(run, rows, inputs, change, all, attributes, tasks, unwanted),
            false);
    for (var listener : endListeners) ticket.onDone(unlessRefused(listener));
    return ticket;
  }

  private Ticket hand(Transition.Append transition, boolean awaited) {
    var others = transition.deliveries();
    var added = transition.tasks();
    var ticket = awaited ? port.appendAwaited(transition) : port.append(transition);
    for (var listener : listeners) ticket.onDone(unlessRefused(listener));
    if (!others.isEmpty()) ticket.onDone((outcome, _) -> tell(outcome, others));
    if (!added.isEmpty()) ticket.onDone((outcome, _) -> announce(outcome, added));
    if (!transition.cancelled().isEmpty()) {
      ticket.onDone(
          (outcome, _) -> {
            if (outcome == Outcome.STORED) port.unwanted();
          });
    }
    if (!mayBeRefused(transition.change())) clear();
    last = ticket;
    return ticket;
  }

  /** Those for whom something waits in the store now are to know. */
  private void tell(@Nullable Outcome outcome, List<Delivery> others) {
    if (outcome == Outcome.STORED) port.delivered(others);
  }

  /** Workers may take what is on a queue now. */
  private void announce(@Nullable Outcome outcome, List<NewTask> added) {
    if (outcome != Outcome.STORED) return;
    var queues = new HashSet<String>();
    for (var task : added) {
      if (queues.add(task.queue())) port.scheduled(task.queue());
      if (task.waitUntil() != null) port.overdueAt(task.waitUntil());
      if (task.until() != null) port.overdueAt(task.until());
    }
  }

  private static boolean mayBeRefused(RunChange change) {
    return change instanceof RunChange.Close || change instanceof RunChange.Continue;
  }

  /** A refused transition is tried again, and its listeners with it. */
  private static Ticket.Listener unlessRefused(Ticket.Listener listener) {
    return (outcome, failure) -> {
      if (outcome != Outcome.INPUTS_WAITING) listener.done(outcome, failure);
    };
  }

  /** The close was refused: everything is still here, except for the end. */
  void reopen() {
    events.removeLast();
    cancelledAtEnd.clear();
  }

  /** Nothing of what is in here will ever be handed over. */
  void lose(RuntimeException why) {
    for (var listener : listeners) listener.done(null, why);
  }

  /** The run leaves memory: if it has not ended, it does so elsewhere. */
  void loseEnd() {
    var why = new IllegalStateException("the run has left memory");
    for (var listener : endListeners) listener.done(null, why);
    endListeners.clear();
  }

  /** The last transition handed over: when it is durable, so is everything before it. */
  @Nullable Ticket last() {
    return last;
  }

  private void clear() {
    events = emptyList();
    consumed = emptyList();
    listeners = emptyList();
    deliveries = emptyList();
    tasks = emptyList();
    cancelled = emptyList();
    attributes = null;
    bytes = 0;
  }
}
