package dev.reprise.jdbc;

import dev.reprise.engine.store.EventRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events turned by a quarter: an array for each column. */
final class EventArrays {
  private final List<Long> runs = new ArrayList<>();
  private final List<EventRow> events = new ArrayList<>();

  void add(long run, EventRow event) {
    runs.add(run);
    events.add(event);
  }

  void addAll(long run, List<EventRow> added) {
    for (var event : added) add(run, event);
  }

  int size() {
    return events.size();
  }

  EventRow first() {
    return events.getFirst();
  }

  long firstRun() {
    return runs.getFirst();
  }

  boolean isEmpty() {
    return events.isEmpty();
  }

  /** The run key, index, type, time, site, attributes, value and checksum of the first. */
  @Nullable Object[] firstColumns() {
    var event = first();
    return new Object[] {
      firstRun(),
      event.index(),
      event.type(),
      event.at(),
      event.site(),
      event.attributes(),
      event.value(),
      event.checksum(firstRun())
    };
  }

  /**
   * Run keys, indexes with checksums, types, times, sites, attributes, values. Index and checksum
   * share a column: one more array to unnest costs 3 % of the steps with 100 workflows in flight
   * (ADR 0033).
   */
  @Nullable Object[] columns() {
    int size = events.size();
    var keys = new long[size];
    var indexes = new long[size]; // in the upper half; the checksum in the lower
    var types = new int[size];
    var times = new long[size];
    var sites = new @Nullable String[size];
    var attributes = new byte[size][];
    var values = new byte[size] @Nullable [];
    for (int i = 0; i < size; i++) {
      var event = events.get(i);
      keys[i] = runs.get(i);
      indexes[i] = pair(event.index(), event.checksum(keys[i]));
      types[i] = event.type();
      times[i] = PostgresTimes.micros(event.at());
      sites[i] = event.site();
      attributes[i] = event.attributes();
      values[i] = event.value();
    }
    return new Object[] {keys, indexes, types, times, sites, attributes, values};
  }

  private static long pair(int upper, int lower) {
    return ((long) upper << Integer.SIZE) | Integer.toUnsignedLong(lower);
  }
}
