package dev.reprise.testkit.contract;

import dev.reprise.Status;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows and transitions of which a test needs to say little. */
public final class Rows {
  public static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");

  private Rows() {}

  /** An event of which only the index matters. */
  public static EventRow event(int index) {
    return new EventRow(
        index,
        NOON,
        EventType.ACTIVITY_COMPLETED.code(),
        "Checkout.java:" + index,
        bytes("{\"id\":\"charge:%d\"}".formatted(index)),
        bytes(String.valueOf(index)));
  }

  /** Further events of a run, and nothing else. */
  public static Append append(long run, int fromIndex, int toIndex) {
    return append(run, fromIndex, toIndex, new RunChange.None());
  }

  /** Further events of a run and what becomes of it. */
  public static Append append(long run, int fromIndex, int toIndex, RunChange change) {
    return new Append(run, events(fromIndex, toIndex), List.of(), change);
  }

  /** An event of a run that takes inputs into its history. */
  public static Append consume(long run, int index, List<Long> inputs, RunChange change) {
    return new Append(run, events(index, index), inputs, change);
  }

  private static List<EventRow> events(int fromIndex, int toIndex) {
    return IntStream.rangeClosed(fromIndex, toIndex).mapToObj(Rows::event).toList();
  }

  /** The last event of a run. */
  public static Append close(long run, int index) {
    return append(run, index, index, completed());
  }

  public static RunChange completed() {
    return new RunChange.Close(Status.COMPLETED, NOON.plusSeconds(60));
  }

  public static Accept signal(long run, String value) {
    return signal(run, value, UUID.randomUUID().toString());
  }

  /** A signal with the sender's id. */
  public static Accept signal(long run, String value, String message) {
    return new Accept(new InputRow(0, run, Kind.SIGNAL, "approval", message, bytes(value), NOON));
  }

  /** A signal that a run sends to whichever run of a workflow id is open. */
  public static Delivery delivery(String workflowId, String value) {
    return delivery(workflowId, null, value, UUID.randomUUID().toString());
  }

  /** A signal that a run sends, with the sender's id. */
  public static Delivery delivery(
      String workflowId, @Nullable UUID runId, String value, String message) {
    return new Delivery(workflowId, runId, Kind.SIGNAL, "approval", message, bytes(value), NOON);
  }

  /** The same, and it sends these. */
  public static Append sending(Append append, Delivery... deliveries) {
    return new Append(
        append.run(),
        append.events(),
        append.consumedInputs(),
        append.change(),
        List.of(deliveries),
        append.attributes());
  }

  /** The same, and the run has these attributes from then on. */
  public static Append describing(Append append, String attributes) {
    return new Append(
        append.run(),
        append.events(),
        append.consumedInputs(),
        append.change(),
        append.deliveries(),
        attributes);
  }

  /** The last event of a run of which the workflow goes on with another. */
  public static Append goOn(long run, int index, RunRow next) {
    return append(run, index, index, continued(next));
  }

  /** The workflow goes on with another run, which begins with one event. */
  public static RunChange continued(RunRow next) {
    return new RunChange.Continue(next, List.of(event(1)), NOON.plusSeconds(60));
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
