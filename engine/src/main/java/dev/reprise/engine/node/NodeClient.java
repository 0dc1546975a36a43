package dev.reprise.engine.node;

import dev.reprise.Client;
import dev.reprise.Completion;
import dev.reprise.Durations;
import dev.reprise.Fork;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Key;
import dev.reprise.ListQuery;
import dev.reprise.NodeDescription;
import dev.reprise.Query;
import dev.reprise.QueueDescription;
import dev.reprise.QueueLimits;
import dev.reprise.RunDescription;
import dev.reprise.RunPage;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Texts;
import dev.reprise.TypeRef;
import dev.reprise.Update;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event.ValuePublished;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.MessageKey;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.NodeView;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The client of the node in the same process. */
public final class NodeClient implements Client {
  private final Incarnations nodes;
  private final RunLists lists;
  private final QueueClient queues;

  public NodeClient(Incarnations nodes) {
    this.nodes = nodes;
    this.lists = new RunLists(nodes);
    this.queues = new QueueClient(nodes);
  }

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input) {
    return start(workflow, workflowId, input, StartOptions.defaults());
  }

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input, StartOptions options) {
    var name = WorkflowDefinition.nameOf(workflow);
    var types =
        nodes.current().isClient()
            ? new Types(
                name, WorkflowDefinition.inputOf(workflow), WorkflowDefinition.outputOf(workflow))
            : Types.of(definition(name));
    return start(types, workflowId, input, options);
  }

  @Override
  public Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input) {
    return start(workflow, workflowId, input, StartOptions.defaults());
  }

  @Override
  public Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input, StartOptions options) {
    return start(types(workflow), workflowId, input, options);
  }

  @Override
  public <O extends @Nullable Object> Handle<O> start(
      String workflow,
      TypeRef<O> result,
      String workflowId,
      @Nullable Object input,
      StartOptions options) {
    var known = types(workflow);
    var types = new Types(known.workflow(), known.input(), result.type());
    return start(types, workflowId, input, options);
  }

  /** A client knows of a workflow by name only what it is given. */
  private Types types(String workflow) {
    if (!nodes.current().isClient()) return Types.of(definition(workflow));
    return new Types(workflow, null, Object.class);
  }

  private WorkflowDefinition definition(String workflow) {
    return nodes.current().definition(workflow);
  }

  /**
   * Of what a workflow takes and gives.
   *
   * @param input null if only the workflow knows
   */
  private record Types(String workflow, @Nullable Type input, Type result) {
    static Types of(WorkflowDefinition known) {
      return new Types(known.name(), known.input(), known.output());
    }
  }

  private <O extends @Nullable Object> Handle<O> start(
      Types types, String workflowId, @Nullable Object input, StartOptions options) {
    checkId(workflowId);
    var what = "the input of '" + workflowId + "'";
    var type = types.input();
    var payload = type == null ? values().encode(input, what) : values().encode(input, type, what);
    return nodes.call(
        node -> {
          var started = node.intake().start(types.workflow(), workflowId, payload, options);
          return new RunHandle<>(this, nodes, started.row(), types.result(), started.end());
        });
  }

  private Values values() {
    return nodes.current().values();
  }

  private static void checkId(String workflowId) {
    Texts.checked(workflowId, "workflow id");
  }

  @Override
  public <O extends @Nullable Object> Handle<O> handle(
      Class<? extends Workflow<?, O>> workflow, String workflowId) {
    var type = WorkflowDefinition.outputOf(workflow);
    return new RunHandle<>(this, nodes, row(workflowId), type, null);
  }

  @Override
  public <O extends @Nullable Object> Handle<O> handle(String workflowId, TypeRef<O> result) {
    return new RunHandle<>(this, nodes, row(workflowId), result.type(), null);
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
    checkId(workflowId);
    if (value == null && signal.hasValue()) throw LiveRun.missing(signal);
    var what = "the value of signal '" + signal.name() + "'";
    var payload = values().encode(value, signal.type(), what);
    call(node -> node.intake().accept(workflowId, Kind.SIGNAL, signal.name(), messageId, payload));
  }

  @Override
  public void cancel(String workflowId, String reason) {
    checkId(workflowId);
    var requester = nodes.machine().name();
    call(node -> node.control().cancel(workflowId, requester, reason));
  }

  @Override
  public void terminate(String workflowId, String reason, boolean compensate) {
    checkId(workflowId);
    var requester = nodes.machine().name();
    call(node -> node.control().terminate(workflowId, requester, reason, compensate));
  }

  // ---- requests ---------------------------------------------------------------------------------

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the codec gives what the type says
  public <A extends @Nullable Object, R extends @Nullable Object> R query(
      String workflowId, Query<A, R> query, A argument) {
    checkId(workflowId);
    var what = "query '" + query.name() + "'";
    var payload = values().encode(argument, query.argument(), "the argument of " + what);
    var answer = nodes.call(node -> node.requests().query(workflowId, query.name(), payload));
    return (R) values().decode(answer, query.result(), "the answer of " + what);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument, String messageId) {
    return update(workflowId, update, argument, messageId, nodes.current().callTimeout());
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the codec gives what the type says
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument, String messageId, Duration limit) {
    checkId(workflowId);
    checkMessage(messageId);
    var within = Limit.of(nodes.machine(), Durations.positive(limit, "the limit"));
    var key = MessageKey.update(update.name(), messageId);
    var what = "update '" + update.name() + "'";
    var payload = values().encode(argument, update.argument(), "the argument of " + what);
    var answer =
        nodes.call(node -> node.requests().update(workflowId, key, payload, within), within);
    return (R) values().decode(answer, update.result(), "the answer of " + what);
  }

  @Override
  @SuppressWarnings("unchecked") // the codec gives what the type says
  public <T> Optional<T> published(String workflowId, Key<T> key) {
    var row = row(workflowId);
    var all = read(store -> store.eventsOfType(row.key(), EventType.VALUE_PUBLISHED.code()));
    for (var event : all.reversed()) {
      if (event.recorded().event() instanceof ValuePublished(var name, var value)
          && name.equals(key.name())) {
        var what = "the value of " + key.name();
        return Optional.ofNullable((T) values().decode(value, key.type(), what));
      }
    }
    return Optional.empty();
  }

  @Override
  public Handle<@Nullable Object> fork(Fork fork) {
    checkId(fork.workflowId());
    fork.as().ifPresent(NodeClient::checkId);
    return nodes.call(
        node -> {
          var row = node.intake().fork(fork);
          var type = node.known(row.workflow()).map(WorkflowDefinition::output);
          return new RunHandle<@Nullable Object>(this, nodes, row, type.orElse(Object.class), null);
        });
  }

  private static void checkMessage(String messageId) {
    Texts.checked(messageId, "message id");
  }

  private void call(Consumer<Node> work) {
    nodes.call(
        node -> {
          work.accept(node);
          return node;
        });
  }

  // ---- looking ----------------------------------------------------------------------------------

  @Override
  public RunDescription describe(String workflowId) {
    checkId(workflowId);
    return nodes.call(
        node -> {
          var row = node.intake().find(workflowId);
          return HistoryView.of(row, node.requests().waitingFor(row));
        });
  }

  @Override
  public List<HistoryEvent> history(String workflowId) {
    var row = row(workflowId);
    return read(store -> HistoryView.of(store, row.key()));
  }

  @Override
  public List<HistoryEvent> history(String workflowId, UUID runId) {
    checkId(workflowId);
    var row = nodes.call(node -> node.intake().run(workflowId, runId));
    return read(store -> HistoryView.of(store, row.key()));
  }

  @Override
  public List<RunDescription> runs(String workflowId) {
    row(workflowId); // or there is none
    return read(store -> store.runsOf(workflowId)).stream()
        .map(row -> HistoryView.of(row, List.of()))
        .toList();
  }

  @Override
  public List<RunDescription> list(ListQuery query) {
    return lists.page(query).runs();
  }

  @Override
  public RunPage page(ListQuery query) {
    return lists.page(query);
  }

  @Override
  public long count(String filter) {
    return lists.count(filter);
  }

  @Override
  public Map<String, Long> countBy(String filter, String field) {
    return lists.countBy(filter, field);
  }

  @Override
  public List<NodeDescription> nodes() {
    return read(NodeView::of);
  }

  @Override
  public void resume(String workflowId) {
    checkId(workflowId);
    call(node -> node.control().resume(workflowId, nodes.machine().name()));
  }

  @Override
  public int resumeHeld(String filter) {
    return lists.resumeHeld(filter);
  }

  private RunRow row(String workflowId) {
    checkId(workflowId);
    return nodes.call(node -> node.intake().find(workflowId));
  }

  private <T> T read(Function<Store, T> reading) {
    return nodes.call(node -> node.read(() -> reading.apply(node.store())));
  }

  // ---- queues -----------------------------------------------------------------------------------

  @Override
  public Completion complete(String token, @Nullable Object result) {
    return queues.complete(token, result);
  }

  @Override
  public Completion fail(String token, Throwable failure) {
    return queues.fail(token, failure);
  }

  @Override
  public QueueDescription queue(String queue) {
    return queues.queue(queue);
  }

  @Override
  public List<QueueDescription> queues() {
    return queues.queues();
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    queues.limit(queue, limits);
  }
}
