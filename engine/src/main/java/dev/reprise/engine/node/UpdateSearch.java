package dev.reprise.engine.node;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.MessageKey;
import dev.reprise.engine.store.EventRow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the answer of an update in a history that grows.
 *
 * <p>Updates of several names may have the same message id. An answer that does not name its update
 * was recorded while the run had taken in one of them only. So it counts if that is this one.
 */
final class UpdateSearch {
  private final MessageKey update;
  private int next = 1;
  private boolean isTaken;
  private @Nullable Event event;

  UpdateSearch(MessageKey update) {
    this.update = update;
  }

  /** The index of the first event that it has not seen. */
  int next() {
    return next;
  }

  /** The answer, or null if it has not come yet. */
  @Nullable Event event() {
    return event;
  }

  void see(EventRow row) {
    if (event != null) return;
    next = row.index() + 1;
    switch (EventType.of(row.type())) {
      case UPDATE_RECEIVED, UPDATE_COMPLETED, UPDATE_FAILED, UPDATE_REFUSED ->
          see(row.recorded().event());
      default -> {}
    }
  }

  private void see(Event seen) {
    boolean isAnswer =
        switch (seen) {
          case Event.UpdateReceived(var name, var message, _) -> {
            isTaken |= isThis(name, message);
            yield false;
          }
          case Event.UpdateCompleted(var message, _, var name) -> isAnswer(name, message);
          case Event.UpdateFailed(var message, _, var name) -> isAnswer(name, message);
          case Event.UpdateRefused(var name, var message, _, _) -> isThis(name, message);
          default -> false;
        };
    if (isAnswer) event = seen;
  }

  private boolean isAnswer(@Nullable String name, String message) {
    return isTaken && isThis(Objects.requireNonNullElse(name, update.name()), message);
  }

  private boolean isThis(String name, String message) {
    return update.name().equals(name) && update.message().equals(message);
  }
}
