package dev.reprise.engine;

import dev.reprise.Client;
import dev.reprise.Completion;
import dev.reprise.Fork;
import dev.reprise.Handle;
import dev.reprise.Health;
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
import dev.reprise.WorkerOptions;
import dev.reprise.Workflow;
import dev.reprise.engine.node.Incarnations;
import dev.reprise.engine.node.Motion;
import dev.reprise.engine.node.NodeClient;
import dev.reprise.engine.task.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A running engine in this process: the client of its own node.
 *
 * <p>Closing it loses nothing: open runs wait in the database and go on with the next engine.
 */
public final class Engine implements Client, AutoCloseable {
  private final Incarnations nodes;
  private final Client client;

  Engine(Incarnations nodes) {
    this.nodes = nodes;
    this.client = new NodeClient(nodes);
  }

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input) {
    return client.start(workflow, workflowId, input);
  }

  @Override
  public Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input) {
    return client.start(workflow, workflowId, input);
  }

  @Override
  public <O extends @Nullable Object> Handle<O> handle(
      Class<? extends Workflow<?, O>> workflow, String workflowId) {
    return client.handle(workflow, workflowId);
  }

  @Override
  public <O extends @Nullable Object> Handle<O> handle(String workflowId, TypeRef<O> result) {
    return client.handle(workflowId, result);
  }

  @Override
  public <T extends @Nullable Object> void signal(String workflowId, Signal<T> signal, T value) {
    client.signal(workflowId, signal, value);
  }

  @Override
  public <T extends @Nullable Object> void signal(
      String workflowId, Signal<T> signal, T value, String messageId) {
    client.signal(workflowId, signal, value, messageId);
  }

  @Override
  public void cancel(String workflowId, String reason) {
    client.cancel(workflowId, reason);
  }

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input, StartOptions options) {
    return client.start(workflow, workflowId, input, options);
  }

  @Override
  public Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input, StartOptions options) {
    return client.start(workflow, workflowId, input, options);
  }

  @Override
  public <O extends @Nullable Object> Handle<O> start(
      String workflow,
      TypeRef<O> result,
      String workflowId,
      @Nullable Object input,
      StartOptions options) {
    return client.start(workflow, result, workflowId, input, options);
  }

  @Override
  public void terminate(String workflowId, String reason, boolean compensate) {
    client.terminate(workflowId, reason, compensate);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R query(
      String workflowId, Query<A, R> query, A argument) {
    return client.query(workflowId, query, argument);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument, String messageId) {
    return client.update(workflowId, update, argument, messageId);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument, String messageId, Duration limit) {
    return client.update(workflowId, update, argument, messageId, limit);
  }

  @Override
  public <T> Optional<T> published(String workflowId, Key<T> key) {
    return client.published(workflowId, key);
  }

  @Override
  public Handle<@Nullable Object> fork(Fork fork) {
    return client.fork(fork);
  }

  @Override
  public List<HistoryEvent> history(String workflowId, UUID runId) {
    return client.history(workflowId, runId);
  }

  @Override
  public List<RunDescription> runs(String workflowId) {
    return client.runs(workflowId);
  }

  @Override
  public RunDescription describe(String workflowId) {
    return client.describe(workflowId);
  }

  @Override
  public List<HistoryEvent> history(String workflowId) {
    return client.history(workflowId);
  }

  @Override
  public List<RunDescription> list(ListQuery query) {
    return client.list(query);
  }

  @Override
  public RunPage page(ListQuery query) {
    return client.page(query);
  }

  @Override
  public long count(String filter) {
    return client.count(filter);
  }

  @Override
  public Map<String, Long> countBy(String filter, String field) {
    return client.countBy(filter, field);
  }

  @Override
  public List<NodeDescription> nodes() {
    return client.nodes();
  }

  @Override
  public void resume(String workflowId) {
    client.resume(workflowId);
  }

  @Override
  public int resumeHeld(String filter) {
    return client.resumeHeld(filter);
  }

  @Override
  public Completion complete(String token, @Nullable Object result) {
    return client.complete(token, result);
  }

  @Override
  public Completion fail(String token, Throwable failure) {
    return client.fail(token, failure);
  }

  @Override
  public QueueDescription queue(String queue) {
    return client.queue(queue);
  }

  @Override
  public List<QueueDescription> queues() {
    return client.queues();
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    client.limit(queue, limits);
  }

  /**
   * Serves a queue: what workflows of any engine on this database put there is run here, if its
   * activities, or the workflow itself, are registered here.
   *
   * @param concurrency how many at once
   */
  public Worker worker(String queue, int concurrency) {
    return worker(queue, WorkerOptions.concurrency(concurrency));
  }

  /** Serves a queue, with options. */
  public Worker worker(String queue, WorkerOptions options) {
    Texts.checked(queue, "queue", Texts.MAX_NAME);
    return nodes
        .workers()
        .serve(queue, options.concurrency(), options.retry().orElse(null), nodes.workflows());
  }

  /** The workflows that are registered here, in the order in which that was done. */
  public List<RegisteredWorkflow> workflows() {
    return nodes.definitions().stream()
        .map(known -> new RegisteredWorkflow(known.name(), known.input(), known.output()))
        .toList();
  }

  /**
   * The activities that can be called here by their names, sorted by these. A method of a
   * registered object has several: one for each type by which it can be called.
   */
  public List<RegisteredActivity> activities() {
    return nodes.activities().all().stream()
        .map(known -> new RegisteredActivity(known.name(), known.parameters(), known.result()))
        .toList();
  }

  /** What it does at this moment: for tests, which move the time when nothing else moves. */
  public Motion motion() {
    return nodes.current().motion();
  }

  /**
   * How this engine is. Never waits for the database, so that a probe gets its answer in any case:
   * restart a process whose engine is {@link Health.State#DOWN}, and send no calls to one that is
   * not {@link Health#isUp()}.
   */
  public Health health() {
    return nodes.health();
  }

  /** How many runs are in memory now, active and parked. */
  public int runsInMemory() {
    return nodes.current().size();
  }

  /** Whether the latest run of a workflow is in memory now. */
  public boolean isInMemory(String workflowId) {
    return nodes.current().inMemory(workflowId).isPresent();
  }

  /** Takes a waiting run out of memory, if it is there; it comes back when it is due. */
  public void evict(String workflowId) {
    var node = nodes.current();
    node.inMemory(workflowId).ifPresent(node::evict);
  }

  /**
   * Closes in good order: accepts nothing more, lets activities that run end for a while (see
   * {@link Reprise#shutdownGrace}), and frees all runs for the next engine.
   */
  @Override
  public void close() {
    nodes.close();
  }
}
