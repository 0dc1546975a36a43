package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ParentClose;
import dev.reprise.Status;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Event.CompensationCompleted;
import dev.reprise.engine.event.Event.CompensationFailed;
import dev.reprise.engine.event.Event.CompensationRegistered;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LifeTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private static Call call(String id) {
    return new Call(id, "free", "ab");
  }

  private static CompensationRegistered undo(String id) {
    return new CompensationRegistered(call(id), Payload.none(), List.of(), null, null);
  }

  private static RunState after(Event... events) {
    return then(RunState.empty(), events);
  }

  private static RunState then(RunState state, Event... events) {
    var next = state;
    for (var event : events) next = next.apply(new Recorded(next.size() + 1, NOW, null, event));
    return next;
  }

  private static List<String> ids(List<CompensationRegistered> undo) {
    return undo.stream().map(each -> each.call().id()).toList();
  }

  @Test
  void the_last_remembered_is_undone_first() {
    var state = after(undo("a"), undo("b"), undo("c"));

    assertThat(ids(state.life().toUndo())).containsExactly("c", "b", "a");
    assertThat(ids(then(state, new CompensationCompleted(call("b"), 1)).life().toUndo()))
        .containsExactly("c", "a");
  }

  @Test
  void what_failed_is_tried_again_after_a_resume_and_is_never_forgotten() {
    var failed = new CompensationFailed(call("b"), 3, Events.FAILURE);
    var midway = after(undo("a"), undo("b"), undo("c"), failed);
    assertThat(ids(midway.life().toUndo())).containsExactly("c", "a");
    assertThat(midway.life().failures()).containsExactly(failed);

    var rest =
        then(
            midway,
            new CompensationCompleted(call("c"), 1),
            new CompensationCompleted(call("a"), 1));
    assertThat(rest.life().toUndo()).isEmpty();
    assertThat(ids(rest.life().notUndone())).containsExactly("b");
    var resumed = then(rest, new Event.WorkflowResumed("ops", null));
    assertThat(ids(resumed.life().toUndo())).containsExactly("b");
    assertThat(resumed.life().failures()).isEmpty();
    assertThat(rest.life().failures()).containsExactly(failed);

    var done = then(rest, new CompensationCompleted(call("b"), 1));
    assertThat(done.life().toUndo()).isEmpty();
    assertThat(done.life().failures()).isEmpty();
  }

  @Test
  void what_failed_without_having_been_remembered_changes_nothing() {
    var state = after(undo("a"), new CompensationFailed(call("x"), 1, Events.FAILURE));

    assertThat(state.life().failures()).isEmpty();
    assertThat(ids(state.life().toUndo())).containsExactly("a");
  }

  @Test
  void failures_come_in_the_order_of_undoing() {
    var state =
        after(
            undo("a"),
            undo("b"),
            new CompensationFailed(call("a"), 1, Events.FAILURE),
            new CompensationFailed(call("b"), 2, Events.FAILURE));

    assertThat(state.life().failures())
        .extracting(failure -> failure.call().id())
        .containsExactly("b", "a");
  }

  @Test
  void a_run_that_is_undone_knows_how_it_will_end() {
    var how = new Event.CompensationsStarted(Status.CANCELLED, "", "why", null);
    var state = after(undo("a"), how);

    assertThat(state.status()).isEqualTo(Status.COMPENSATING);
    assertThat(state.life().undoing()).isEqualTo(how);
    assertThat(state.isClosed()).isFalse();
  }

  @Test
  void children_are_open_until_they_end() {
    var one = new Event.ChildStarted("1", "W", "w/1", ParentClose.CANCEL, null, Payload.none());
    var two = new Event.ChildStarted("2", "W", "w/2", ParentClose.ABANDON, null, Payload.none());
    var state = after(one, two, new Event.ChildCompleted("1", Payload.none()));

    assertThat(state.life().children().contains("1")).isFalse();
    assertThat(state.life().childrenInOrder()).containsExactly(two);
    var ended = then(state, new Event.ChildFailed("2", Status.FAILED, Events.FAILURE));
    assertThat(ended.life().children().isEmpty()).isTrue();
  }

  @Test
  void attributes_are_those_of_the_start_changed_and_removed_since() {
    var origin = new Origin("hash", null, Map.of("a", "1", "b", true), null, null);
    var state =
        after(
            new Event.WorkflowStarted("W", "w", new UUID(0, 1), Payload.none(), origin),
            new Event.AttributeChanged("a", "2"),
            new Event.AttributeChanged("b", null),
            new Event.AttributeChanged("c", 3L));

    assertThat(state.life().attributeMap())
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "2", "c", 3L));
    assertThat(state.life().hash()).isEqualTo("hash");
    assertThat(then(state, new Event.WorkflowResumed("ops", "other")).life().hash())
        .isEqualTo("other");
    assertThat(then(state, new Event.WorkflowTakenUp("third")).life().hash()).isEqualTo("third");
  }

  @Test
  void the_last_value_of_a_key_and_the_changes_that_were_passed_are_known() {
    var state =
        after(
            new Event.ValuePublished("k", Events.json("1")),
            new Event.ValuePublished("k", Events.json("2")),
            new Event.PatchMarked("change"));

    assertThat(state.life().published().get("k")).isEqualTo(Events.json("2"));
    assertThat(state.life().patches().contains("change")).isTrue();
    assertThat(state.life().patches().contains("other")).isFalse();
  }

  @Test
  void inputs_that_the_run_before_took_in_are_not_taken_in_again() {
    var lineage =
        new Origin.Lineage(
            Origin.How.CONTINUED,
            new UUID(0, 1),
            List.of(),
            0,
            List.of(MessageKey.signal("go", "m")));
    var origin = new Origin(null, null, Map.of(), null, lineage);
    var state = after(new Event.WorkflowStarted("W", "w", new UUID(0, 2), Payload.none(), origin));

    assertThat(state.hasTakenSignal("go", "m")).isTrue();
    assertThat(state.hasTakenSignal("go", "n")).isFalse();
    assertThat(state.hasTakenSignal("stop", "m")).isFalse();
    assertThat(state.hasTakenUpdate("go", "m")).isFalse();
    assertThat(state.hasTakenSignal("go", null)).isFalse();
  }

  @Test
  void an_id_that_was_carried_over_without_a_name_counts_for_all() {
    var lineage =
        new Origin.Lineage(
            Origin.How.CONTINUED, new UUID(0, 1), List.of(), 0, List.of(MessageKey.any("m")));
    var origin = new Origin(null, null, Map.of(), null, lineage);
    var state = after(new Event.WorkflowStarted("W", "w", new UUID(0, 2), Payload.none(), origin));

    assertThat(state.hasTakenSignal("go", "m")).isTrue();
    assertThat(state.hasTakenUpdate("rename", "m")).isTrue();
    assertThat(state.hasTakenUpdate("rename", "n")).isFalse();
    assertThat(state.latestMessages(9)).containsExactly(MessageKey.any("m"));
  }
}
