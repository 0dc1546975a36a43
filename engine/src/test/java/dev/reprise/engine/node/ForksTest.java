package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.Fork;
import dev.reprise.ParentClose;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Origin;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForksTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant LATER = START.plus(Duration.ofDays(1));
  private static final UUID OLD = new UUID(0, 1);
  private static final UUID NEW = new UUID(0, 2);
  private static final Call CALL = new Call("charge:1", "charge", "ab");
  private static final FailureInfo FAILURE = new FailureInfo("E", "m", null, null, null);
  private static final Event COMPLETED = new Event.ActivityCompleted(CALL, 1, json("1"));

  private static Payload json(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Event started() {
    var parent = new Origin.Parent("p", new UUID(0, 9), "child W:1");
    var origin = new Origin("hash", Duration.ofHours(1), Map.of("a", "b"), parent, null);
    return new Event.WorkflowStarted("W", "w", OLD, json("\"in\""), origin);
  }

  private static Event child(String id, String workflowId) {
    return new Event.ChildStarted(id, "C", workflowId, ParentClose.CANCEL, null, json("2"));
  }

  private static Forks forks(Fork fork, Event... events) {
    var rows = new ArrayList<EventRow>();
    for (var event : events) {
      rows.add(EventRow.of(new Recorded(rows.size() + 1, START, "W.java:1", event)));
    }
    var row = new RunRow(1, OLD, "w", "W", Status.RUNNING, null, null, START, null, null, 0);
    return new Forks(fork, row, rows, List.of(), new Values(new JsonCodec()));
  }

  private static List<Event> events(Fork fork, Event... events) {
    return forks(fork, events).events("f", NEW).stream()
        .map(row -> row.recorded().event())
        .toList();
  }

  private static void assertRefused(String text, Fork fork, Event... events) {
    var forks = forks(fork, events);
    assertThat(catchThrowableOfType(RepriseException.class, () -> forks.events("f", NEW)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.R130))
        .hasMessageContaining(text);
  }

  @Test
  void it_begins_as_the_other_did_but_is_nobodys_child_and_has_no_limit() {
    var begun = (Event.WorkflowStarted) events(Fork.of("w", 1), started()).getFirst();

    assertThat(begun.workflowId()).isEqualTo("f");
    assertThat(begun.runId()).isEqualTo(NEW);
    assertThat(begun.input()).isEqualTo(json("\"in\""));
    assertThat(begun.origin().parent()).isNull();
    assertThat(begun.origin().timeout()).isNull();
    assertThat(begun.origin().hash()).isNull();
    assertThat(begun.origin().attributes()).containsEntry("a", "b");
    assertThat(begun.origin().lineage())
        .satisfies(
            lineage -> {
              assertThat(lineage.how()).isEqualTo(Origin.How.FORKED);
              assertThat(lineage.from()).isEqualTo(OLD);
              assertThat(lineage.copied()).isEqualTo(1);
            });
  }

  @Test
  void the_events_up_to_the_index_are_kept() {
    assertThat(events(Fork.of("w", 2), started(), COMPLETED, new Event.PatchMarked("later")))
        .hasSize(2)
        .endsWith(COMPLETED);
  }

  @Test
  void input_and_results_are_edited() {
    var edited = events(Fork.of("w", 2).input("other").result("charge:1", 7), started(), COMPLETED);

    assertThat(((Event.WorkflowStarted) edited.getFirst()).input()).isEqualTo(json("\"other\""));
    assertThat(edited.getLast()).isEqualTo(new Event.ActivityCompleted(CALL, 1, json("7")));
    assertRefused("no result of [x]", Fork.of("w", 2).result("x", 1), started(), COMPLETED);
    assertRefused(
        "no result of [charge:1]", Fork.of("w", 1).result("charge:1", 1), started(), COMPLETED);
  }

  @Test
  void open_children_are_started_again_and_ended_ones_are_not() {
    var ended = new Event.ChildCompleted("child C:1", json("3"));

    var events =
        events(
            Fork.of("w", 4),
            started(),
            child("child C:1", "w/C:1"),
            child("child C:2", "w/C:2"),
            ended);

    assertThat(events.get(1)).isEqualTo(child("child C:1", "w/C:1"));
    assertThat(((Event.ChildStarted) events.get(2)).workflowId()).startsWith("f/");
    assertThat(events.get(3)).isEqualTo(ended);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 3, 4})
  void an_index_that_is_not_there_is_refused(int index) {
    assertRefused("has events 1 to 2", Fork.of("w", index), started(), COMPLETED);
  }

  @Test
  void the_end_and_what_was_undone_are_not_forked() {
    var failed = new Event.WorkflowFailed(FAILURE);
    assertRefused("1 to 2 before its end", Fork.of("w", 3), started(), COMPLETED, failed);

    var undoing = new Event.CompensationsStarted(Status.FAILED, "", "", FAILURE);
    assertRefused("1 to 1 before its end", Fork.of("w", 2), started(), undoing, failed);
    assertThat(events(Fork.of("w", 1), started(), undoing)).hasSize(1);
  }

  @Test
  void the_state_of_a_loop_is_not_cut() {
    var loop = new Event.LoopSnapshot("loop:1", 2, json("5"));
    Event[] all = {started(), loop, new Event.PatchMarked("a"), new Event.PatchMarked("b")};

    for (int index : new int[] {2, 3}) {
      assertRefused("events 2 to 4 are the state of a loop", Fork.of("w", index), all);
    }
    assertThat(events(Fork.of("w", 4), all)).hasSize(4);
    assertThat(events(Fork.of("w", 1), all)).hasSize(1);
  }

  @Test
  void its_row_is_due_now_and_its_time_begins_now() {
    var row =
        forks(Fork.of("w", 2), started(), new Event.AttributeChanged("c", true))
            .row(5, NEW, "f", LATER);

    assertThat(row.key()).isEqualTo(5);
    assertThat(row.workflowId()).isEqualTo("f");
    assertThat(row.status()).isEqualTo(Status.RUNNING);
    assertThat(row.wakeAt()).isEqualTo(LATER);
    assertThat(row.startedAt()).isEqualTo(LATER);
    assertThat(row.parent()).isNull();
    assertThat(row.attributes()).contains("\"a\"").contains("\"c\"");
  }
}
