package dev.reprise;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One recorded fact, for people and tools.
 *
 * @param index its place in the history, from 1
 * @param recordedAt when
 * @param type what kind, such as {@code ActivityCompleted}
 * @param subject what it is about: an activity id, a timer id, a signal name; empty if nothing
 * @param callSite the line of workflow code that caused it, such as {@code Checkout.java:42}
 * @param attributes what was recorded beside the value, as JSON
 * @param value the recorded input, result or signal value as the codec wrote it, usually JSON
 * @param arguments what the activity was called with, each as the codec wrote it, usually JSON;
 *     empty if it has none, if none are kept, and in all events of an inline call but the first
 */
public record HistoryEvent(
    int index,
    Instant recordedAt,
    String type,
    String subject,
    @Nullable String callSite,
    String attributes,
    @Nullable String value,
    List<String> arguments) {

  /** Its arguments are its own. */
  public HistoryEvent {
    arguments = List.copyOf(arguments);
  }
}
