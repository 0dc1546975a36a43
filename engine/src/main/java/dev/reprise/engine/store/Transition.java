package dev.reprise.engine.store;

import dev.reprise.Status;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events and row changes that belong together: committed whole or not at all. */
public sealed interface Transition {

  /** About how many bytes it is, for the size of batches. */
  int bytes();

  /** A new run and its first event. */
  record Start(RunRow run, EventRow first) implements Transition {
    @Override
    public int bytes() {
      return 200 + first.bytes();
    }
  }

  /**
   * The next events of a run, the inputs that became part of its history with them, and what
   * becomes of its row.
   */
  record Append(long run, List<EventRow> events, List<Long> consumedInputs, RunChange change)
      implements Transition {
    public Append {
      events = List.copyOf(events);
      consumedInputs = List.copyOf(consumedInputs);
    }

    @Override
    public int bytes() {
      int sum = 50;
      for (var event : events) sum += event.bytes();
      return sum;
    }
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

    /** It is held, with the reason, until somebody unblocks it. */
    record Block(String reason) implements RunChange {}

    /** It is held no more, and due then. */
    record Unblock(Instant at) implements RunChange {}

    /** It has ended; refused while inputs wait. */
    record Close(Status status, Instant at) implements RunChange {}
  }
}
