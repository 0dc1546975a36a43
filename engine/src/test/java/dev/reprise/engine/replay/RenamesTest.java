package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.FailureInfo;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RenamesTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final FailureInfo FAILURE = new FailureInfo("E", "m", null, null, null);

  private final Renames renames = new Renames();

  private Event renamed(Event event) {
    var recorded = renames.apply(new Recorded(7, NOW, "W.java:1", event));
    assertThat(recorded.index()).isEqualTo(7);
    assertThat(recorded.at()).isEqualTo(NOW);
    assertThat(recorded.site()).isEqualTo("W.java:1");
    return recorded.event();
  }

  static Stream<Function<Call, Event>> calls() {
    return Stream.of(
        call -> new Event.ActivityCompleted(call, 1, Payload.none()),
        call -> new Event.ActivityFailed(call, 2, FAILURE),
        call -> new Event.ActivityRetryScheduled(call, 1, FAILURE, NOW),
        call -> new Event.ActivityCancelled(call, 1),
        call -> new Event.CompensationRegistered(call, Payload.none(), List.of(), null, null));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void each_event_of_a_renamed_activity_has_the_new_name(Function<Call, Event> event) {
    renames.add(List.of("Old.go", "Older.go"), "New.run");

    for (var before : List.of("Old.go", "Older.go")) {
      assertThat(renamed(event.apply(new Call(before + ":2", before, "ab"))))
          .isEqualTo(event.apply(new Call("New.run:2", "New.run", "ab")));
    }
    assertThat(renamed(event.apply(new Call("undo Old.go:1", "Old.go", "ab"))))
        .isEqualTo(event.apply(new Call("undo New.run:1", "New.run", "ab")));
    assertThat(renamed(event.apply(new Call("my own id", "Old.go", "ab"))))
        .isEqualTo(event.apply(new Call("my own id", "New.run", "ab")));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void others_stay_as_they_are(Function<Call, Event> event) {
    var other = event.apply(new Call("Other.go:1", "Other.go", "ab"));
    assertThat(renamed(other)).isEqualTo(other);

    renames.add(List.of("Old.go"), "New.run");

    assertThat(renamed(other)).isEqualTo(other);
  }

  @Test
  void what_is_no_activity_stays_as_it_is() {
    renames.add(List.of("sleep"), "nap");
    renames.add(List.of(), "nothing");

    assertThat(renamed(new Event.TimerFired("sleep:1"))).isEqualTo(new Event.TimerFired("sleep:1"));
  }
}
