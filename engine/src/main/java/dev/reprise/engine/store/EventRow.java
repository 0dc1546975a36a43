package dev.reprise.engine.store;

import dev.reprise.engine.event.EventJson;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recorded event as the database has it.
 *
 * @param index its place in the history, from 1
 * @param at when, to the microsecond
 * @param type the number of its type
 * @param site the line of workflow code that caused it, or null
 * @param attributes JSON
 * @param value the user's value as the codec wrote it, or null
 */
public record EventRow(
    int index,
    Instant at,
    int type,
    @Nullable String site,
    byte[] attributes,
    byte @Nullable [] value) {

  /** The row of an event. */
  public static EventRow of(Recorded recorded) {
    var event = recorded.event();
    var payload = event.payload();
    return new EventRow(
        recorded.index(),
        recorded.at(),
        EventType.of(event).code(),
        recorded.site(),
        EventJson.write(event),
        payload == null ? null : payload.bytes());
  }

  /** The event of the row. */
  public Recorded recorded() {
    var payload = value == null ? null : Payload.of(value);
    return new Recorded(index, at, site, EventJson.read(EventType.of(type), attributes, payload));
  }

  int bytes() {
    return 60 + attributes.length + (value == null ? 0 : value.length);
  }
}
