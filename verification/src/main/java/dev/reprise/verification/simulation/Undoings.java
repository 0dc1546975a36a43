package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import java.util.ArrayList;
import java.util.List;

/** Bugs in how a run is undone: what the engine reads of its history is not what is there. */
final class Undoings {
  private Undoings() {}

  /** The history of a run that is undone, as the bug has it. */
  static List<EventRow> changed(Sabotage sabotage, List<EventRow> history) {
    int begin = indexOf(history, EventType.COMPENSATIONS_STARTED);
    if (begin < 0) return history;
    return switch (sabotage) {
      case UNDO_FORWARD -> forward(history);
      case UNDO_AGAIN -> again(history);
      case RUN_CODE_WHILE_UNDOING -> history.subList(0, begin);
      default -> history;
    };
  }

  private static int indexOf(List<EventRow> history, EventType type) {
    for (int i = 0; i < history.size(); i++) {
      if (history.get(i).type() == type.code()) return i;
    }
    return -1;
  }

  private static List<EventRow> forward(List<EventRow> history) {
    int code = EventType.COMPENSATION_REGISTERED.code();
    var registered = history.stream().filter(row -> row.type() == code).toList().reversed();
    var changed = new ArrayList<EventRow>();
    int next = 0;
    for (var row : history) {
      changed.add(row.type() == code ? with(row, registered.get(next++)) : row);
    }
    return changed;
  }

  private static EventRow with(EventRow place, EventRow what) {
    var event = what.recorded().event();
    return EventRow.of(new Recorded(place.index(), place.at(), null, event));
  }

  /** Somebody was told something, it seems, where something was undone. */
  private static List<EventRow> again(List<EventRow> history) {
    return history.stream()
        .map(
            row ->
                row.type() != EventType.COMPENSATION_COMPLETED.code()
                    ? row
                    : EventRow.of(
                        new Recorded(row.index(), row.at(), null, new Event.PatchMarked("lost"))))
        .toList();
  }
}
