package dev.reprise;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One run of a workflow, seen from outside. Safe for use by many threads.
 *
 * @param <O> what it returns in the end
 */
public interface Handle<O extends @Nullable Object> {

  /** The name its caller gave it. */
  String workflowId();

  /** This run of it. */
  UUID runId();

  /**
   * Waits for the end and returns the result. If the workflow goes on with new runs, that is the
   * end of the last one.
   *
   * @throws WorkflowNotCompleted if there is none: as {@link WorkflowFailed}, {@link
   *     WorkflowCancelled}, {@link WorkflowTimedOut}, {@link WorkflowTerminated}, or {@link
   *     WorkflowBlocked} if it is held
   */
  O result();

  /**
   * Waits for the end at most so long.
   *
   * @throws TimeoutException if it is still open then; nothing happens to it
   */
  O result(Duration limit) throws TimeoutException;

  /**
   * The result when it is there, without a thread that waits for it. Completes exceptionally with
   * what {@link #result()} throws, also when the engine is closed first.
   */
  CompletionStage<O> resultAsync();

  /**
   * Waits for the end at most so long, and says whether it has come: then {@link #result()} returns
   * or throws at once, unless the run was held and goes on meanwhile.
   */
  boolean awaitEnd(Duration limit);

  /** Sends it a signal and returns once that is durable. */
  <T extends @Nullable Object> void signal(Signal<T> signal, T value);

  /** Sends it a signal without a value and returns once that is durable. */
  default void signal(Signal<@Nullable Void> signal) {
    signal(signal, null);
  }

  /** The same with an id of the sender's own: however often it is sent, it arrives once. */
  <T extends @Nullable Object> void signal(Signal<T> signal, T value, String messageId);

  /** Asks it to end, and returns once that is durable: see {@link Client#cancel}. */
  void cancel(String reason);

  /** Ends it at once, without its code: see {@link Client#terminate(String, String)}. */
  void terminate(String reason);

  /** Ends it at once, without its code; first undoes what it did, if that is wanted. */
  void terminate(String reason, boolean compensate);

  /** Asks it a question: see {@link Client#query}. */
  <A extends @Nullable Object, R extends @Nullable Object> R query(Query<A, R> query, A argument);

  /** Asks it a question that takes no argument: see {@link Client#query}. */
  default <R extends @Nullable Object> R query(Query<@Nullable Void, R> query) {
    return query(query, null);
  }

  /** Sends it a request and waits for the answer: see {@link Client#update}. */
  <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument);

  /** Sends it a request that takes no argument, and waits for the answer. */
  default <R extends @Nullable Object> R update(Update<@Nullable Void, R> update) {
    return update(update, null);
  }

  /** Sends it a request with an id of the sender's own, which is done once however often sent. */
  <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument, String messageId);

  /** Sends it a request and waits up to {@code limit} for the answer. */
  <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument, String messageId, Duration limit);

  /** What it has published last under a key. */
  <T> Optional<T> published(Key<T> key);

  /** Lets it try again if it is held: see {@link Client#resume}. */
  void resume();

  /** Where it is in its life. */
  Status status();

  /** What is known about it. */
  RunDescription describe();

  /** Its recorded facts, in order. */
  List<HistoryEvent> history();
}
