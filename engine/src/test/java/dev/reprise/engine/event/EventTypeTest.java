package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventTypeTest {

  @Test
  void numbers_are_a_promise() {
    var numbers = new TreeMap<Integer, String>();
    for (var type : EventType.values()) numbers.put(type.code(), type.label());

    assertThat(numbers)
        .containsAllEntriesOf(
            Map.ofEntries(
                Map.entry(1, "WorkflowStarted"),
                Map.entry(2, "ActivityCompleted"),
                Map.entry(3, "ActivityFailed"),
                Map.entry(4, "ActivityRetryScheduled"),
                Map.entry(5, "TimerScheduled"),
                Map.entry(6, "TimerFired"),
                Map.entry(7, "TimerCancelled"),
                Map.entry(8, "SignalReceived"),
                Map.entry(9, "WaitTimedOut"),
                Map.entry(10, "PatchMarked"),
                Map.entry(11, "WorkflowCompleted"),
                Map.entry(12, "WorkflowFailed")));
  }

  @Test
  void each_number_and_each_event_has_its_type() {
    for (var type : EventType.values()) assertThat(EventType.of(type.code())).isEqualTo(type);
    assertThat(Events.all())
        .allSatisfy(
            event ->
                assertThat(EventType.of(event).label())
                    .isEqualTo(event.getClass().getSimpleName()));
  }

  @Test
  void an_unknown_number_is_an_error() {
    Stream.of(-1, 0, EventType.values().length + 1, 99)
        .forEach(
            number ->
                assertThatThrownBy(() -> EventType.of(number))
                    .hasMessageContaining("unknown event type " + number));
  }
}
