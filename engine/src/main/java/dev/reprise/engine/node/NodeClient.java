package dev.reprise.engine.node;

import dev.reprise.Client;
import dev.reprise.ErrorCode;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.ListQuery;
import dev.reprise.NodeDescription;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.NodeView;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The client of the node in the same process. */
public final class NodeClient implements Client {
  private static final int MAX_ID = 255; // fits the primary key of every supported database

  private final Incarnations nodes;

  public NodeClient(Incarnations nodes) {
    this.nodes = nodes;
  }

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input) {
    var name = WorkflowDefinition.nameOf(workflow);
    if (!nodes.current().isClient()) return start(definition(name), workflowId, input);
    var inputType = WorkflowDefinition.inputOf(workflow);
    var resultType = WorkflowDefinition.outputOf(workflow);
    return start(name, inputType, resultType, workflowId, input);
  }

  @Override
  public Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input) {
    if (!nodes.current().isClient()) return start(definition(workflow), workflowId, input);
    var inputType = input == null ? Object.class : input.getClass();
    return start(workflow, inputType, Object.class, workflowId, input);
  }

  private WorkflowDefinition definition(String workflow) {
    return nodes.current().definition(workflow);
  }

  private <O extends @Nullable Object> Handle<O> start(
      WorkflowDefinition definition, String workflowId, @Nullable Object input) {
    return start(definition.name(), definition.input(), definition.output(), workflowId, input);
  }

  private <O extends @Nullable Object> Handle<O> start(
      String workflow, Type inputType, Type resultType, String workflowId, @Nullable Object input) {
    checkId(workflowId);
    var payload = values().encode(input, inputType, "the input of '" + workflowId + "'");
    return nodes.call(
        node -> {
          var started = node.intake().start(workflow, workflowId, payload);
          return new RunHandle<>(this, nodes, started.row(), resultType, started.end());
        });
  }

  private Values values() {
    return nodes.current().values();
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
    return new RunHandle<>(this, nodes, row(workflowId), resultType, null);
  }

  @Override
  public <T extends @Nullable Object> void signal(String workflowId, Signal<T> signal, T value) {
    send(workflowId, signal, value, null);
  }

  @Override
  public <T extends @Nullable Object> void signal(
      String workflowId, Signal<T> signal, T value, String messageId) {
    checkMessage(messageId);
    send(workflowId, signal, value, messageId);
  }

  private <T extends @Nullable Object> void send(
      String workflowId, Signal<T> signal, T value, @Nullable String messageId) {
    var what = "the value of signal '" + signal.name() + "'";
    var payload = values().encode(value, signal.type(), what);
    call(node -> node.intake().accept(workflowId, Kind.SIGNAL, signal.name(), messageId, payload));
  }

  @Override
  public void cancel(String workflowId, String reason) {
    var why = Payload.of(reason.getBytes(StandardCharsets.UTF_8));
    call(node -> node.intake().accept(workflowId, Kind.CANCEL, nodes.machine().name(), null, why));
  }

  private static void checkMessage(String messageId) {
    if (!messageId.isBlank() && messageId.length() <= MAX_ID) return;
    throw new RepriseException(
        ErrorCode.R112,
        "the message id must have 1 to %d characters and not be blank".formatted(MAX_ID));
  }

  private void call(Consumer<Node> work) {
    nodes.call(
        node -> {
          work.accept(node);
          return node;
        });
  }

  @Override
  public RunDescription describe(String workflowId) {
    var waits = nodes.current().inMemory(workflowId).map(LiveRun::waitingFor);
    return HistoryView.of(row(workflowId), waits.isEmpty() ? List.of() : waits.get().join());
  }

  @Override
  public List<HistoryEvent> history(String workflowId) {
    var row = row(workflowId);
    return read(store -> HistoryView.of(store, row.key()));
  }

  @Override
  public List<RunDescription> list(ListQuery query) {
    return read(store -> store.list(query)).stream()
        .map(row -> HistoryView.of(row, List.of()))
        .toList();
  }

  @Override
  public List<NodeDescription> nodes() {
    return read(NodeView::of);
  }

  @Override
  public void resume(String workflowId) {
    call(node -> node.intake().resume(workflowId));
  }

  private RunRow row(String workflowId) {
    return nodes.call(node -> node.intake().find(workflowId));
  }

  private <T> T read(Function<Store, T> reading) {
    return nodes.call(node -> node.read(() -> reading.apply(node.store())));
  }
}
