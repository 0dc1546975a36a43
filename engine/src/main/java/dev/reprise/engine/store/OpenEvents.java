package dev.reprise.engine.store;

import dev.reprise.engine.event.EventType;
import dev.reprise.engine.filter.Subject.OpenWork;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What a history has begun and not ended, for filters. */
final class OpenEvents {
  private static final Set<Integer> TIMER_ENDS =
      codes(EventType.TIMER_FIRED, EventType.TIMER_CANCELLED);
  private static final Set<Integer> CHILD_ENDS =
      codes(EventType.CHILD_COMPLETED, EventType.CHILD_FAILED);
  private static final Set<Integer> ACTIVITY_ENDS =
      codes(
          EventType.ACTIVITY_COMPLETED,
          EventType.ACTIVITY_FAILED,
          EventType.ACTIVITY_CANCELLED,
          EventType.COMPENSATION_COMPLETED,
          EventType.COMPENSATION_FAILED);

  private OpenEvents() {}

  /**
   * @param tasks whether the run has activities on queues
   */
  static OpenWork of(List<EventRow> history, boolean tasks) {
    int timers = 0;
    int children = 0;
    var retries = new HashSet<String>();
    for (var row : history) {
      int type = row.type();
      if (type == EventType.TIMER_SCHEDULED.code()) timers++;
      if (TIMER_ENDS.contains(type)) timers--;
      if (type == EventType.CHILD_STARTED.code()) children++;
      if (CHILD_ENDS.contains(type)) children--;
      if (type == EventType.ACTIVITY_RETRY_SCHEDULED.code()) retries.add(id(row));
      if (ACTIVITY_ENDS.contains(type)) retries.remove(id(row));
    }
    return new OpenWork(timers > 0, children > 0, tasks, !retries.isEmpty());
  }

  private static Set<Integer> codes(EventType... types) {
    return Arrays.stream(types).map(EventType::code).collect(Collectors.toUnmodifiableSet());
  }

  private static String id(EventRow row) {
    try {
      return JsonMapper.shared().readTree(row.attributes()).path("id").asString("");
    } catch (JacksonException damaged) {
      return "";
    }
  }
}
