package dev.reprise.engine.replay;

import dev.reprise.Texts;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Delivery;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a new event means beside the history: for children, for others, for those who wait. */
final class Consequences {
  private static final Logger LOG = LoggerFactory.getLogger(Consequences.class);

  private final RunRow row;
  private final Outbox outbox;
  private final RunPort port;
  private @Nullable Stage stage;
  private @Nullable ChildStarts childStarts;
  private @Nullable RunInputs inputs;

  Consequences(RunRow row, Outbox outbox, RunPort port) {
    this.row = row;
    this.outbox = outbox;
    this.port = port;
  }

  /** Who has to do with them. Called once, before the first event. */
  void tell(Stage of, ChildStarts children, RunInputs callers) {
    stage = of;
    childStarts = children;
    inputs = callers;
  }

  void of(Recorded recorded) {
    outbox.add(Objects.requireNonNull(stage).renames().asRecorded(recorded));
    if (recorded.index() == RunContext.LONG_HISTORY) warn();
    switch (recorded.event()) {
      case Event.ChildStarted child -> Objects.requireNonNull(childStarts).add(child);
      case Event.MessageSent sent -> outbox.deliver(delivery(sent, recorded.at()));
      case Event.ActivityScheduled scheduled -> outbox.schedule(Tasks.of(recorded, scheduled));
      case Event.ActivityCancelRequested(var id) -> cancel(id);
      case Event.WorkflowTerminated _ -> cancelAll();
      case Event.AttributeChanged _ -> outbox.attributes(attributes());
      case Event.UpdateCompleted answer -> answered(answer.message(), answer.update(), answer);
      case Event.UpdateFailed answer -> answered(answer.message(), answer.update(), answer);
      case Event.ActivityFailed _, Event.ActivityRetryScheduled _, Event.CompensationsStarted _ ->
          port.noted(row, recorded.event());
      default -> {}
    }
  }

  private void warn() {
    LOG.atWarn()
        .addKeyValue("workflow.id", Texts.shown(row.workflowId()))
        .log(
            "the history of '{}' has {} events: it should go on with a new run, by ctx.loop or"
                + " ctx.continueAsNew, before replaying it takes long",
            Texts.shown(row.workflowId()),
            RunContext.LONG_HISTORY);
  }

  private void answered(String message, @Nullable String update, Event answer) {
    Objects.requireNonNull(inputs).answered(message, update, answer);
  }

  private void cancel(String id) {
    var task = Objects.requireNonNull(stage).state().life().tasks().get(id);
    if (task != null) outbox.cancel(task.index());
  }

  /** Nobody is left who could want them. */
  private void cancelAll() {
    var tasks = Objects.requireNonNull(stage).state().life().tasks();
    tasks.forEach((_, task) -> outbox.cancelAtEnd(task.index()));
  }

  private String attributes() {
    var life = Objects.requireNonNull(stage).state().life();
    var json = AttributesJson.write(life.attributeMap());
    return json == null ? "{}" : json;
  }

  private Delivery delivery(Event.MessageSent sent, Instant at) {
    var kind =
        switch (sent.kind()) {
          case SIGNAL -> InputRow.Kind.SIGNAL;
          case CANCEL -> InputRow.Kind.CANCEL;
        };
    var message = row.runId() + "/" + sent.id();
    return new Delivery(
        sent.workflowId(), null, kind, sent.name(), message, sent.value().bytes(), at);
  }
}
