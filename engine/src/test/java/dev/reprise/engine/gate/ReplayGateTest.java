package dev.reprise.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Transition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplayGateTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final UUID RUN = new UUID(7, 7);
  private static final UUID NODE = new UUID(8, 8);

  private final Store store = new MemoryStore();

  @AfterEach
  void close() {
    store.close();
  }

  /**
   * A run that leaves memory before its code has slept takes in a signal while it is being ended:
   * the code sees neither.
   */
  @Test
  void what_is_taken_in_by_who_ends_a_run_is_not_for_its_code() {
    var note = Payload.of("1".getBytes(StandardCharsets.UTF_8));
    start(
        new Event.WorkflowStarted("Flow", "w", RUN, Payload.none()),
        new Event.SignalReceived("note", note, "m1"));
    assertThat(check()).as("nobody ends it, so the code has seen it").isEqualTo(1);

    commit(2, new Transition.Accept(new InputRow(0, 1, Kind.TERMINATE, "", "m2", bytes(), START)));

    assertThat(check()).isZero();
  }

  private static byte[] bytes() {
    return "\"fire\"".getBytes(StandardCharsets.UTF_8);
  }

  private void start(Event... events) {
    store.join(new Joining(NODE, "host/1", false, Duration.ofMinutes(1)));
    var rows = new ArrayList<EventRow>();
    for (var event : events) {
      rows.add(EventRow.of(new Recorded(rows.size() + 1, START, "Flow.java:7", event)));
    }
    var row = new RunRow(1, RUN, "w", "Flow", Status.RUNNING, NODE, START, START, null, null, 0);
    commit(1, new Transition.Start(row, rows));
  }

  private void commit(long sequence, Transition transition) {
    assertThat(store.commit(new Batch(NODE, sequence, List.of(transition))))
        .containsExactly(Store.Outcome.STORED);
  }

  /** How many runs the code does not follow. */
  private long check() {
    var code =
        WorkflowDefinition.of(
            "Flow",
            String.class,
            String.class,
            (ctx, _) -> {
              ctx.sleep(Duration.ofHours(1));
              return "end";
            });
    var gate = new ReplayGate(List.of(code), new Values(new JsonCodec()));
    gate.check(store);
    assertThat(gate.progress().runs()).isEqualTo(1);
    return gate.progress().departed();
  }
}
