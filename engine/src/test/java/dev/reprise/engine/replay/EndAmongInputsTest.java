package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.HistoryEvent;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EndAmongInputsTest {
  private static final Instant THEN = Instant.parse("2026-03-01T10:00:00Z");
  private static final UUID NODE = new UUID(1, 1);
  private static final UUID RUN = new UUID(2, 2);

  private final MemoryStore store = new MemoryStore();

  @Test
  void an_end_that_was_refused_twice_for_inputs_comes_after_all_of_them() throws Exception {
    var early = new Event.SignalReceived("note", payload("\"early\""), "m1");
    storeRunThatWasLeftAtItsEnd(early, InputRow.Kind.SIGNAL);

    assertThat(typesAfter((_, in) -> in))
        .containsExactly(
            "WorkflowStarted",
            "SignalReceived",
            "WorkflowTakenUp",
            "SignalReceived",
            "WorkflowCompleted");
  }

  @Test
  void a_cancel_that_comes_after_the_code_has_ended_cancels_nothing() throws Exception {
    var due = new Event.TimerScheduled("sleep:1", THEN.plus(Duration.ofDays(36_500)));
    storeRunThatWasLeftAtItsEnd(due, InputRow.Kind.CANCEL);

    assertThat(
            typesAfter(
                (ctx, in) -> {
                  var begun = new AtomicBoolean();
                  var _ =
                      ctx.async(
                          () -> {
                            begun.set(true);
                            ctx.sleepUntil(due.due());
                            return in;
                          });
                  ctx.await(begun::get);
                  return in;
                }))
        .containsExactly(
            "WorkflowStarted",
            "TimerScheduled",
            "WorkflowTakenUp",
            "WorkflowCancelRequested",
            "WorkflowCompleted");
  }

  private List<String> typesAfter(Workflow<String, String> code) throws Exception {
    try (var engine =
        Reprise.on(store).workflow("Quick", String.class, String.class, code).start()) {
      assertThat(engine.<String>handle("q", String.class).result(Duration.ofSeconds(10)))
          .isEqualTo("done");
      return engine.history("q").stream().map(HistoryEvent::type).toList();
    }
  }

  /** The node went away before the end was stored, and an input waits. */
  private void storeRunThatWasLeftAtItsEnd(Event second, InputRow.Kind kind) {
    var row = new RunRow(1, RUN, "q", "Quick", Status.RUNNING, NODE, THEN, THEN, null, null, 0);
    var started = new Event.WorkflowStarted("Quick", "q", RUN, payload("\"done\""));
    var late = new InputRow(0, 1, kind, "late", "m2", payload("\"late\"").bytes(), THEN);
    store.join(new Joining(NODE, "here/1", false, Duration.ofSeconds(10)));
    store.commit(
        new Batch(
            NODE,
            1,
            List.of(
                new Transition.Start(row, event(1, started)),
                new Transition.Append(
                    1, List.of(event(2, second)), List.of(), new RunChange.Release(THEN)),
                new Transition.Accept(late))));
    store.leave(NODE);
  }

  private static EventRow event(int index, Event event) {
    return EventRow.of(new Recorded(index, THEN, null, event));
  }

  private static Payload payload(String json) {
    return Payload.of(json.getBytes(StandardCharsets.UTF_8));
  }
}
