package dev.reprise.engine.store;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
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
 * @param damaged whether it is not what was written, by its checksum: then {@link #recorded} fails
 */
public record EventRow(
    int index,
    Instant at,
    int type,
    @Nullable String site,
    byte[] attributes,
    byte @Nullable [] value,
    boolean damaged) {

  /** A sound one. */
  public EventRow(
      int index,
      Instant at,
      int type,
      @Nullable String site,
      byte[] attributes,
      byte @Nullable [] value) {
    this(index, at, type, site, attributes, value, false);
  }

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

  /** What a store keeps with it, as an event of that run. */
  public int checksum(long run) {
    return Checksum.of(run, this);
  }

  /** Marked as damaged if this checksum, which was kept with it, does not fit. */
  public EventRow checked(long run, int kept) {
    if (checksum(run) == kept) return this;
    return new EventRow(index, at, type, site, attributes, value, true);
  }

  /** Without the mark of damage: to look at, not to act on. */
  public EventRow asIs() {
    return damaged ? new EventRow(index, at, type, site, attributes, value) : this;
  }

  /**
   * The event of the row. All that reads a history comes by here, so nothing acts on a damaged one.
   *
   * @throws RepriseException {@code R145} if it is damaged, {@code R108} if it cannot be read
   */
  public Recorded recorded() {
    if (damaged) {
      throw new RepriseException(
          ErrorCode.R145,
          """
          event #%d of the history is damaged: its checksum does not fit. Restore the database, or \
          fork the workflow at an event before this one\
          """
              .formatted(index));
    }
    try {
      var payload = value == null ? null : Payload.of(value);
      return new Recorded(index, at, site, EventJson.read(EventType.of(type), attributes, payload));
    } catch (RuntimeException e) {
      throw new RepriseException(
          ErrorCode.R108,
          "event #%d of the history cannot be read: %s".formatted(index, e.getMessage()),
          e);
    }
  }

  int bytes() {
    return 60 + attributes.length + (value == null ? 0 : value.length);
  }
}
