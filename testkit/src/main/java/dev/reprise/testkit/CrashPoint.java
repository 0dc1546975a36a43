package dev.reprise.testkit;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Transition;
import java.util.List;
import java.util.function.Predicate;

/**
 * An event after which to crash.
 *
 * @param workflowId of the run that records it
 * @param index its place in the history
 * @param name for people
 */
record CrashPoint(String workflowId, int index, String name) {

  /** Names the transition that makes the event durable. For one engine. */
  Predicate<Transition> moment() {
    return new Moment();
  }

  private final class Moment implements Predicate<Transition> {
    private long run; // its key, once it has started

    @Override
    public boolean test(Transition transition) {
      return switch (transition) {
        case Transition.Start(var row, var events, _, _) -> {
          if (row.workflowId().equals(workflowId)) run = row.key();
          yield row.key() == run && has(events);
        }
        case Transition.Append append -> append.run() == run && has(append.events());
        case Transition.Accept _ -> false;
      };
    }

    private boolean has(List<EventRow> events) {
      return events.stream().anyMatch(event -> event.index() == index);
    }
  }
}
