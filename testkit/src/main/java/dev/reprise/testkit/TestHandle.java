package dev.reprise.testkit;

import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Key;
import dev.reprise.Query;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Update;
import dev.reprise.engine.codec.Codec;
import dev.reprise.testkit.Clockwork.Passed;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A run of a test: who waits for its end lets the time pass. */
final class TestHandle<O extends @Nullable Object> implements Handle<O> {
  private final TestEngine engine;
  private final String workflowId;
  private final UUID runId;
  private final Type resultType;

  TestHandle(TestEngine engine, Handle<?> of, Type resultType) {
    this.engine = engine;
    this.workflowId = of.workflowId();
    this.runId = of.runId();
    this.resultType = resultType;
  }

  /** How its values become bytes. */
  Codec codec() {
    return engine.codec();
  }

  @Override
  public String workflowId() {
    return workflowId;
  }

  @Override
  public UUID runId() {
    return runId;
  }

  @Override
  public O result() {
    if (engine.until(workflowId, null) == Passed.NEVER) throw stuck();
    return engine.resultOf(workflowId, resultType);
  }

  @Override
  public O result(Duration limit) throws TimeoutException {
    if (engine.until(workflowId, limit) == Passed.LIMIT) throw late(limit);
    return engine.resultOf(workflowId, resultType);
  }

  @Override
  public CompletionStage<O> resultAsync() {
    var result = new CompletableFuture<O>();
    Thread.startVirtualThread(
        () -> {
          try {
            result.complete(result());
          } catch (Throwable none) {
            result.completeExceptionally(none);
          }
        });
    return result;
  }

  @Override
  public boolean awaitEnd(Duration limit) {
    engine.until(workflowId, limit);
    return !engine.isRunning(workflowId);
  }

  private AssertionError stuck() {
    return new AssertionError(
        """
        '%s' never ends: everything waits, and no timer is set.
        A signal must be sent before the test asks for the result, or at a time of its own:
        engine.after(Duration.ofHours(1), () -> ...)

        %s\
        """
            .formatted(workflowId, engine.table(workflowId)));
  }

  private TimeoutException late(Duration limit) {
    return new TimeoutException(
        """
        '%s' has not ended within %s, it is %s now.

        %s\
        """
            .formatted(workflowId, Elapsed.text(limit), engine.now(), engine.table(workflowId)));
  }

  @Override
  public <T extends @Nullable Object> void signal(Signal<T> signal, T value) {
    engine.signal(workflowId, signal, value);
  }

  @Override
  public <T extends @Nullable Object> void signal(Signal<T> signal, T value, String messageId) {
    engine.signal(workflowId, signal, value, messageId);
  }

  @Override
  public void cancel(String reason) {
    engine.cancel(workflowId, reason);
  }

  @Override
  public void terminate(String reason) {
    engine.terminate(workflowId, reason);
  }

  @Override
  public void terminate(String reason, boolean compensate) {
    engine.terminate(workflowId, reason, compensate);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R query(
      Query<A, R> query, A argument) {
    return engine.query(workflowId, query, argument);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument) {
    return engine.update(workflowId, update, argument);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument, String messageId) {
    return engine.update(workflowId, update, argument, messageId);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument, String messageId, Duration limit) {
    return engine.update(workflowId, update, argument, messageId, limit);
  }

  @Override
  public <T> Optional<T> published(Key<T> key) {
    return engine.published(workflowId, key);
  }

  @Override
  public void resume() {
    engine.resume(workflowId);
  }

  @Override
  public Status status() {
    return describe().status();
  }

  @Override
  public RunDescription describe() {
    return engine.describe(workflowId);
  }

  @Override
  public List<HistoryEvent> history() {
    return engine.history(workflowId);
  }

  @Override
  public String toString() {
    return "workflow '" + workflowId + "'";
  }
}
