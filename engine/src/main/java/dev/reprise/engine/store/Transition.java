package dev.reprise.engine.store;

import dev.reprise.Status;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Events and row changes that belong together: committed whole or not at all. */
public sealed interface Transition {

  /** About how many bytes it is, for the size of batches. */
  int bytes();

  /**
   * A new run and its first event; a fork begins with more of them, and perhaps with activities on
   * queues.
   *
   * @param tasks what is put on queues with it. A run that is {@link Status#QUEUED} is one of them,
   *     and its event is kept with the task until it begins
   * @param replaces the key of the latest run of this workflow id, which is closed: its id is used
   *     again, if no other run has it by now. Then there is no task of which its queue has one only
   */
  record Start(RunRow run, List<EventRow> events, List<NewTask> tasks, @Nullable Long replaces)
      implements Transition {
    public Start {
      events = List.copyOf(events);
      tasks = List.copyOf(tasks);
    }

    public Start(RunRow run, List<EventRow> events, List<NewTask> tasks) {
      this(run, events, tasks, null);
    }

    public Start(RunRow run, List<EventRow> events) {
      this(run, events, List.of());
    }

    public Start(RunRow run, EventRow first) {
      this(run, List.of(first));
    }

    @Override
    public int bytes() {
      return 200 + bytesOf(events);
    }
  }

  /**
   * The next events of a run, the inputs that became part of its history with them, and what
   * becomes of its row.
   *
   * @param deliveries inputs for other runs that are accepted with it, and only with it
   * @param attributes what the run can be found by from now on, as JSON; null to leave it
   * @param tasks what is put on queues with it, and only with it
   * @param cancelled indexes of the run's tasks that nobody wants any more: those that no worker
   *     has are overdue at once, the workers of the others are told by their next heartbeat
   */
  record Append(
      long run,
      List<EventRow> events,
      List<Long> consumedInputs,
      RunChange change,
      List<Delivery> deliveries,
      @Nullable String attributes,
      List<NewTask> tasks,
      List<Integer> cancelled)
      implements Transition {
    public Append {
      events = List.copyOf(events);
      consumedInputs = List.copyOf(consumedInputs);
      deliveries = List.copyOf(deliveries);
      tasks = List.copyOf(tasks);
      cancelled = List.copyOf(cancelled);
    }

    public Append(
        long run,
        List<EventRow> events,
        List<Long> consumedInputs,
        RunChange change,
        List<Delivery> deliveries,
        @Nullable String attributes) {
      this(run, events, consumedInputs, change, deliveries, attributes, List.of(), List.of());
    }

    public Append(long run, List<EventRow> events, List<Long> consumedInputs, RunChange change) {
      this(run, events, consumedInputs, change, List.of(), null);
    }

    @Override
    public int bytes() {
      int sum = 50 + bytesOf(events);
      for (var delivery : deliveries) sum += 100 + delivery.value().length;
      return sum + 100 * tasks.size();
    }
  }

  /**
   * An input that a run sends to another workflow. It is accepted if that workflow is open, and
   * dropped if it is closed or unknown.
   *
   * @param workflowId for whom
   * @param runId only for this run of it; null for whichever is open
   */
  record Delivery(
      String workflowId,
      @Nullable UUID runId,
      InputRow.Kind kind,
      String name,
      String message,
      byte[] value,
      Instant sentAt) {

    /** As the input of that run. */
    public InputRow toInput(long run) {
      return new InputRow(0, run, kind, name, message, value, sentAt);
    }
  }

  private static int bytesOf(List<EventRow> events) {
    int sum = 0;
    for (var event : events) sum += event.bytes();
    return sum;
  }

  /**
   * An input for a run that is not in the memory of the node that accepts it. It is stored once: if
   * one with the same message id waits already, nothing is added.
   */
  record Accept(InputRow input) implements Transition {
    @Override
    public int bytes() {
      return 100 + input.value().length;
    }
  }

  /** What becomes of the row of a run. */
  sealed interface RunChange {
    /** Nothing. */
    record None() implements RunChange {}

    /** It is due then; null when only an input can wake it. */
    record WakeAt(@Nullable Instant at) implements RunChange {}

    /** Its owner forgets it; it is due then. */
    record Release(@Nullable Instant at) implements RunChange {}

    /** It has waited on a queue, and starts then: its owner is the node that says so. */
    record Begin(Instant at) implements RunChange {}

    /** It is held, with the reason, until somebody unblocks it. */
    record Block(String reason) implements RunChange {}

    /** It is held no more, and due then. */
    record Unblock(Instant at) implements RunChange {}

    /** Its code has ended without success; what it did is undone from then on. */
    record Compensate(Instant at) implements RunChange {}

    /** It has ended; refused while inputs wait. */
    record Close(Status status, Instant at) implements RunChange {}

    /**
     * It has ended as {@link Status#CONTINUED}, and the workflow goes on with a new run, which gets
     * the inputs that wait. Refused as a close is if somebody is sending one at this moment.
     *
     * @param next of the same workflow id, owned by the same node
     * @param events with which the new run begins
     */
    record Continue(RunRow next, List<EventRow> events, Instant at) implements RunChange {
      public Continue {
        events = List.copyOf(events);
      }
    }
  }
}
