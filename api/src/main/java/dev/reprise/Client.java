package dev.reprise;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the outside world starts workflows and talks to them. Safe for use by many threads.
 *
 * <p>Whatever a method here acknowledges by returning is durable.
 */
public interface Client {

  /**
   * Starts a workflow and returns once the start is durable.
   *
   * <p>Idempotent by workflow id: if the id is taken by the same workflow with the same input, open
   * or closed, the handle is that of the existing run.
   *
   * @throws RepriseException {@code R102} unknown workflow, {@code R105} id in use with other
   *     input, {@code R106} input too large, {@code R107} input cannot be encoded, {@code R112} id
   *     blank or too long
   */
  <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input);

  /**
   * Starts a workflow by name, for those registered as lambdas. The result is read as what the
   * workflow is registered with here; elsewhere as whatever it looks like, so say what it is.
   */
  Handle<@Nullable Object> start(String workflow, String workflowId, @Nullable Object input);

  /** Starts a workflow by name, with a result of a plain class. */
  default <O> Handle<O> start(
      String workflow, Class<O> result, String workflowId, @Nullable Object input) {
    return start(workflow, result, workflowId, input, StartOptions.defaults());
  }

  /** Starts a workflow by name with options, with a result of a plain class. */
  default <O> Handle<O> start(
      String workflow,
      Class<O> result,
      String workflowId,
      @Nullable Object input,
      StartOptions options) {
    return start(workflow, TypeRef.of(result), workflowId, input, options);
  }

  /** Starts a workflow by name, with a result of a generic type. */
  default <O extends @Nullable Object> Handle<O> start(
      String workflow, TypeRef<O> result, String workflowId, @Nullable Object input) {
    return start(workflow, result, workflowId, input, StartOptions.defaults());
  }

  /** Starts a workflow by name with options, with a result of a generic type. */
  <O extends @Nullable Object> Handle<O> start(
      String workflow,
      TypeRef<O> result,
      String workflowId,
      @Nullable Object input,
      StartOptions options);

  /** Starts a workflow with options. */
  <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input, StartOptions options);

  /** Starts a workflow by name with options. */
  Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input, StartOptions options);

  /**
   * A handle of an existing workflow.
   *
   * @throws RepriseException {@code R113} if there is none with that id
   */
  <O extends @Nullable Object> Handle<O> handle(
      Class<? extends Workflow<?, O>> workflow, String workflowId);

  /** A handle of an existing workflow with a result of a plain class. */
  default <O> Handle<O> handle(String workflowId, Class<O> result) {
    return handle(workflowId, TypeRef.of(result));
  }

  /** A handle of an existing workflow with a result of a generic type. */
  <O extends @Nullable Object> Handle<O> handle(String workflowId, TypeRef<O> result);

  /**
   * Sends a signal and returns once it is durable.
   *
   * @throws RepriseException {@code R113} no such workflow, {@code R114} it is closed, {@code R106}
   *     value too large, {@code R107} value cannot be encoded, {@code R108} the code that waits for
   *     it here cannot read it, {@code R146} the signal takes a value and there is none
   */
  <T extends @Nullable Object> void signal(String workflowId, Signal<T> signal, T value);

  /** Sends a signal without a value and returns once it is durable. */
  default void signal(String workflowId, Signal<@Nullable Void> signal) {
    signal(workflowId, signal, null);
  }

  /**
   * Sends a signal with an id of the sender's own: however often it is sent, also by other
   * processes, the workflow gets it once. So it may be sent again when it is not known whether it
   * arrived. The id counts among signals of the same name.
   */
  <T extends @Nullable Object> void signal(
      String workflowId, Signal<T> signal, T value, String messageId);

  /**
   * Asks a workflow to end, and returns once that is durable: the call of its context that waits,
   * and all later ones, throw {@link WorkflowCancelled}. A second time changes nothing.
   *
   * <p>An inline activity that runs at that moment is left to end, and its call returns what it
   * returned, so that it can be undone; the next call throws. If it was the last step, the run
   * completes.
   *
   * @param reason why, for people and for the workflow
   * @throws RepriseException {@code R113} no such workflow, {@code R114} it has ended otherwise
   */
  void cancel(String workflowId, String reason);

  /**
   * Ends a workflow at once, without its code and without compensations, and returns once that is
   * durable. If no engine has registered the workflow, an open run ends as soon as one does; one
   * that is held ends now. A second time changes nothing.
   *
   * @throws RepriseException {@code R113} no such workflow, {@code R114} it has ended otherwise
   */
  default void terminate(String workflowId, String reason) {
    terminate(workflowId, reason, false);
  }

  /** Ends a workflow at once, without its code; first undoes what it did, if that is wanted. */
  void terminate(String workflowId, String reason, boolean compensate);

  /**
   * Asks a workflow a question that it answers with {@link Context#onQuery}. It is answered from
   * memory, or by running its code along its history; nothing is written either way. Closed
   * workflows answer too.
   *
   * @throws HandlerFailed if the handler threw
   * @throws RepriseException {@code R113} no such workflow, {@code R127} it does not answer this
   *     query, {@code R128} the handler tried to change something, {@code R102} its code is not
   *     here
   */
  <A extends @Nullable Object, R extends @Nullable Object> R query(
      String workflowId, Query<A, R> query, A argument);

  /** Asks a workflow a question that takes no argument. */
  default <R extends @Nullable Object> R query(String workflowId, Query<@Nullable Void, R> query) {
    return query(workflowId, query, null);
  }

  /**
   * Sends a workflow a request that it answers with {@link Context#onUpdate}, and waits for the
   * answer, at most as long as the engine's {@code callTimeout}. For a handler that waits longer,
   * give a limit.
   *
   * @throws HandlerFailed if the handler threw
   * @throws WorkflowBlocked if it is held; a request that it had taken in is answered later
   * @throws RepriseException {@code R113} no such workflow, {@code R114} it is closed or closed
   *     before it answered, {@code R126} its validator refused, {@code R127} it does not answer
   *     this update, {@code R123} no answer in time: it may have been taken in
   */
  default <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument) {
    return update(workflowId, update, argument, java.util.UUID.randomUUID().toString());
  }

  /** Sends a workflow a request that takes no argument, and waits for the answer. */
  default <R extends @Nullable Object> R update(
      String workflowId, Update<@Nullable Void, R> update) {
    return update(workflowId, update, null);
  }

  /**
   * Sends a request with an id of the sender's own. However often it is sent, it is done once, and
   * each call gets the answer of the first. The id counts among updates of the same name.
   */
  <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument, String messageId);

  /**
   * Sends a request with an id of the sender's own, and waits up to {@code limit} for the answer. A
   * caller that gets {@code R123} may call again with the same id, and goes on waiting.
   *
   * @param limit for all of it: to reach the database, to be found by an engine, and for the
   *     handler
   * @throws IllegalArgumentException if the limit is not positive
   */
  <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument, String messageId, Duration limit);

  /** What the latest run of a workflow has published last under a key; empty if nothing. */
  <T> Optional<T> published(String workflowId, Key<T> key);

  /**
   * Starts a new run from the events of another one up to an index, and returns once that is
   * durable. The other run is not touched: if it is open, it goes on.
   *
   * @throws RepriseException {@code R113} no such workflow, {@code R130} no such event, {@code
   *     R105} the new workflow id is in use
   */
  default Handle<@Nullable Object> fork(String workflowId, int eventIndex) {
    return fork(Fork.of(workflowId, eventIndex));
  }

  /**
   * Starts a new run from the events of another one, with changes. With a workflow id of the
   * caller's, {@link Fork#as}, the same fork is made once, however often it is asked for.
   */
  Handle<@Nullable Object> fork(Fork fork);

  /** What is known about a workflow's latest run. */
  RunDescription describe(String workflowId);

  /** The recorded facts of a workflow's latest run, in order. */
  List<HistoryEvent> history(String workflowId);

  /** The recorded facts of one run of a workflow, in order. */
  List<HistoryEvent> history(String workflowId, UUID runId);

  /** All runs of a workflow, the newest first: more than one if it was continued. */
  List<RunDescription> runs(String workflowId);

  /**
   * Runs, the newest first, at most so many.
   *
   * @throws RepriseException {@code R129} if its filter or its cursor is not valid
   */
  List<RunDescription> list(ListQuery query);

  /**
   * The same with the way to the next page. From page to page no run comes twice, and none that was
   * there at the first page is left out, whatever is started meanwhile.
   *
   * @throws RepriseException {@code R129} if its filter or its cursor is not valid
   */
  RunPage page(ListQuery query);

  /**
   * How many runs a filter lets through, exactly; a blank one lets all through.
   *
   * @throws RepriseException {@code R129} if it is not valid
   */
  long count(String filter);

  /**
   * How many there are of each: by {@code status} or by {@code workflow}. What there is none of is
   * not in the answer.
   *
   * @throws RepriseException {@code R129} if the filter is not valid, or the field another one
   */
  Map<String, Long> countBy(String filter, String field);

  /** The nodes of the database: who is alive, and how many runs each has. */
  List<NodeDescription> nodes();

  /**
   * Lets a held run try again: one that is blocked, after its code was mended, or one that could
   * not be compensated. Nothing happens to a run that goes on by itself.
   *
   * @throws RepriseException {@code R113} no such workflow, {@code R114} it is closed
   */
  void resume(String workflowId);

  /**
   * Resumes all held runs that a filter lets through, one after the other, each durably. If it ends
   * with an exception some are resumed, and calling it again does the rest.
   *
   * @return how many were resumed
   * @throws RepriseException {@code R129} if the filter is not valid
   */
  int resumeHeld(String filter);

  // ---- queues ---------------------------------------------------------------------------------

  /**
   * Completes an activity that waits for that: one whose method has called {@link
   * ActivityContext#completeLater()}. May be called from anywhere, and more than once.
   *
   * @throws RepriseException {@code R133} there is no such activity, or it is not its token; {@code
   *     R134} it was handed out again since, or has ended otherwise; {@code R136} the activity
   *     returns something else
   */
  Completion complete(String token, @Nullable Object result);

  /**
   * Fails such an activity. Its retry policy says whether it is tried again.
   *
   * @throws RepriseException {@code R133} and {@code R134} as {@link #complete}
   */
  Completion fail(String token, Throwable failure);

  /** What is known about a queue; of one that was never used, that nobody serves it. */
  QueueDescription queue(String queue);

  /** The queues on which something waits or runs, that have limits, or that somebody serves. */
  List<QueueDescription> queues();

  /** Sets the limits of a queue, for all its workers, from now on. */
  void limit(String queue, QueueLimits limits);
}
