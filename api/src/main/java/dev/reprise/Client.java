package dev.reprise;

import java.lang.reflect.Type;
import java.util.List;
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

  /** Starts a workflow by name, for those registered as lambdas. */
  Handle<@Nullable Object> start(String workflow, String workflowId, @Nullable Object input);

  /**
   * A handle of an existing workflow.
   *
   * @throws RepriseException {@code R113} if there is none with that id
   */
  <O extends @Nullable Object> Handle<O> handle(
      Class<? extends Workflow<?, O>> workflow, String workflowId);

  /** A handle of an existing workflow with a result of that type. */
  <O extends @Nullable Object> Handle<O> handle(String workflowId, Type resultType);

  /**
   * Sends a signal and returns once it is durable.
   *
   * @throws RepriseException {@code R113} no such workflow, {@code R114} it is closed, {@code R106}
   *     value too large, {@code R107} value cannot be encoded
   */
  <T extends @Nullable Object> void signal(String workflowId, Signal<T> signal, T value);

  /**
   * Sends a signal with an id of the sender's own: however often it is sent, also by other
   * processes, the workflow gets it once. So it may be sent again when it is not known whether it
   * arrived.
   */
  <T extends @Nullable Object> void signal(
      String workflowId, Signal<T> signal, T value, String messageId);

  /**
   * Asks a workflow to end, and returns once that is durable: the call of its context that waits,
   * and all later ones, throw {@link WorkflowCancelled}. A second time changes nothing.
   *
   * @param reason why, for people and for the workflow
   * @throws RepriseException {@code R113} no such workflow, {@code R114} it has ended otherwise
   */
  void cancel(String workflowId, String reason);

  /** What is known about a workflow's latest run. */
  RunDescription describe(String workflowId);

  /** The recorded facts of a workflow's latest run, in order. */
  List<HistoryEvent> history(String workflowId);

  /** Runs, the newest first, at most so many. */
  List<RunDescription> list(ListQuery query);

  /** The nodes of the database: who is alive, and how many runs each has. */
  List<NodeDescription> nodes();

  /** Lets a blocked run try again, after its code was mended. Nothing happens to other runs. */
  void resume(String workflowId);
}
