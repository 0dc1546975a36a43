package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.HistoryEvent;
import dev.reprise.Status;
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
import org.junit.jupiter.api.Test;

class EndAmongInputsTest {
  private static final Instant THEN = Instant.parse("2026-03-01T10:00:00Z");
  private static final UUID NODE = new UUID(1, 1);
  private static final UUID RUN = new UUID(2, 2);

  private final MemoryStore store = new MemoryStore();

  @Test
  void an_end_that_was_refused_twice_for_inputs_comes_after_all_of_them() throws Exception {
    storeRunWhoseEndWasOvertakenBySignalsAndCrashed();

    try (var engine =
        Reprise.on(store).workflow("Quick", String.class, String.class, (_, in) -> in).start()) {
      assertThat(engine.<String>handle("q", String.class).result(Duration.ofSeconds(10)))
          .isEqualTo("done");
      assertThat(engine.history("q"))
          .extracting(HistoryEvent::type)
          .containsExactly(
              "WorkflowStarted", "SignalReceived", "SignalReceived", "WorkflowCompleted");
    }
  }

  /** The code ends after the first event; the signals came while its end went to the disk. */
  private void storeRunWhoseEndWasOvertakenBySignalsAndCrashed() {
    var row =
        new RunRow(
            1, RUN, "q", "Quick", Status.RUNNING, NODE, THEN, THEN, null, null, 0);
    var started = new Event.WorkflowStarted("Quick", "q", RUN, payload("\"done\""));
    var early = new Event.SignalReceived("note", payload("\"early\""), "m1");
    var late =
        new InputRow(
            0, 1, InputRow.Kind.SIGNAL, "note", "m2", payload("\"late\"").bytes(), THEN);
    store.join(new Joining(NODE, "here/1", false, Duration.ofSeconds(10)));
    store.commit(
        new Batch(
            NODE,
            1,
            List.of(
                new Transition.Start(row, event(1, started)),
                new Transition.Append(
                    1, List.of(event(2, early)), List.of(), new RunChange.Release(THEN)),
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
