package dev.reprise.engine.node;

import dev.reprise.Client;
import dev.reprise.ErrorCode;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.RunRow;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The client of a node in the same process. */
public final class NodeClient implements Client {
  private static final int MAX_ID = 255; // fits the primary key of every supported database

  private final Node node;

  public NodeClient(Node node) {
    this.node = node;
  }

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input) {
    return start(node.definition(WorkflowDefinition.nameOf(workflow)), workflowId, input);
  }

  @Override
  public Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input) {
    return start(node.definition(workflow), workflowId, input);
  }

  private <O extends @Nullable Object> Handle<O> start(
      WorkflowDefinition definition, String workflowId, @Nullable Object input) {
    checkId(workflowId);
    var payload =
        node.values().encode(input, definition.input(), "the input of '" + workflowId + "'");
    var started = node.start(definition, workflowId, payload);
    return new RunHandle<>(this, node, started.row(), definition.output(), started.end());
  }

  private static void checkId(String workflowId) {
    if (!workflowId.isBlank() && workflowId.length() <= MAX_ID) return;
    throw new RepriseException(
        ErrorCode.R112,
        workflowId.isBlank()
            ? "the workflow id is blank: give each workflow a name of its own, such as an order id"
            : "the workflow id has %d characters, the limit is %d"
                .formatted(workflowId.length(), MAX_ID));
  }

  @Override
  public <O extends @Nullable Object> Handle<O> handle(
      Class<? extends Workflow<?, O>> workflow, String workflowId) {
    return handle(workflowId, WorkflowDefinition.outputOf(workflow));
  }

  @Override
  public <O extends @Nullable Object> Handle<O> handle(String workflowId, Type resultType) {
    return new RunHandle<>(this, node, row(workflowId), resultType, null);
  }

  @Override
  public <T extends @Nullable Object> void signal(String workflowId, Signal<T> signal, T value) {
    var what = "the value of signal '" + signal.name() + "'";
    node.signal(workflowId, signal.name(), node.values().encode(value, signal.type(), what));
  }

  @Override
  public RunDescription describe(String workflowId) {
    var waits = node.inMemory(workflowId).map(LiveRun::waitingFor);
    return HistoryView.of(row(workflowId), waits.isEmpty() ? List.of() : waits.get().join());
  }

  @Override
  public List<HistoryEvent> history(String workflowId) {
    var row = row(workflowId);
    return node.read(() -> HistoryView.of(node.store(), row.key()));
  }

  @Override
  public List<RunDescription> list(ListQuery query) {
    return node.read(() -> node.store().list(query)).stream()
        .map(row -> HistoryView.of(row, List.of()))
        .toList();
  }

  @Override
  public void resume(String workflowId) {
    node.resume(workflowId);
  }

  private RunRow row(String workflowId) {
    return node.find(workflowId).orElseThrow(() -> Node.unknownRun(workflowId));
  }
}
