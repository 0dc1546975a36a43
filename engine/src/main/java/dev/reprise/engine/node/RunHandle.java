package dev.reprise.engine.node;

import dev.reprise.Client;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Key;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Update;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.RunRow;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A run, seen through the node that is asked about it. */
final class RunHandle<O extends @Nullable Object> implements Handle<O> {
  private static final Duration FOREVER = Duration.ofDays(365_000);

  private final Client client;
  private final Incarnations nodes;
  private volatile RunRow row;
  private final Type resultType;
  private volatile @Nullable CompletableFuture<End> end;

  RunHandle(
      Client client,
      Incarnations nodes,
      RunRow row,
      Type resultType,
      @Nullable CompletableFuture<End> end) {
    this.client = client;
    this.nodes = nodes;
    this.row = row;
    this.resultType = resultType;
    this.end = end;
  }

  @Override
  public String workflowId() {
    return row.workflowId();
  }

  @Override
  public UUID runId() {
    return row.runId();
  }

  @Override
  public O result() {
    try {
      return result(FOREVER);
    } catch (TimeoutException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public O result(Duration limit) throws TimeoutException {
    return value(end(limit));
  }

  @Override
  public boolean awaitEnd(Duration limit) {
    try {
      var _ = end(limit);
      return true;
    } catch (TimeoutException open) {
      return false;
    }
  }

  @Override
  public CompletionStage<O> resultAsync() {
    var result = new CompletableFuture<O>();
    Runnable waiting =
        () -> {
          try {
            result.complete(result());
          } catch (Throwable none) {
            result.completeExceptionally(none);
          }
        };
    nodes.machine().fiber("result of " + workflowId(), waiting).start();
    return result;
  }

  private End end(Duration limit) throws TimeoutException {
    var within = Limit.of(nodes.machine(), limit);
    for (; ; ) {
      var known = end;
      if (known == null) end = known = nodes.call(this::watch);
      try {
        var how = await(known, within.left());
        if (isFinal(how)) return how;
      } catch (RepriseException e) {
        if (!nodes.awaitNext(e)) throw e;
      }
      end = null; // it was resumed since, or another node knows
    }
  }

  /** Not if it was resumed since, or the workflow went on with another run. */
  private boolean isFinal(End how) {
    return switch (how) {
      case End.Blocked _ -> isStillBlocked();
      case End.Closed(var terminal) -> !(terminal.event() instanceof Event.WorkflowContinuedAsNew);
      default -> true;
    };
  }

  private boolean isStillBlocked() {
    return find().blockedBy() != null;
  }

  private RunRow find() {
    return nodes.call(node -> node.intake().find(workflowId()));
  }

  /** Watches first and looks then, so that the end cannot fall in between. */
  private CompletableFuture<End> watch(Node node) {
    for (; ; ) {
      var watched = node.watch(row.key());
      var now = node.intake().current(row);
      if (now.key() == row.key()) {
        if (!now.status().isActive()) node.settle(now);
        return watched;
      }
      row = now; // the workflow went on with another run
    }
  }

  private End await(CompletableFuture<End> end, Duration limit) throws TimeoutException {
    try {
      return nodes.machine().await(end, limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for the result");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the codec gives what the type says
  private O value(End how) {
    return switch (how) {
      case End.Closed(var terminal) ->
          switch (terminal.event()) {
            case Event.WorkflowCompleted(var result) ->
                (O)
                    nodes
                        .current()
                        .values()
                        .decode(result, resultType, "the result of " + workflowId());
            case Event.WorkflowFailed(var failure) ->
                throw new WorkflowFailed(workflowId(), failure);
            case Event.WorkflowCancelled(var reason) ->
                throw new WorkflowCancelled(workflowId(), reason);
            case Event.WorkflowTimedOut(var reason) ->
                throw new WorkflowTimedOut(workflowId(), reason);
            case Event.WorkflowTerminated(_, var reason) ->
                throw new WorkflowTerminated(workflowId(), reason);
            case Event other -> throw new IllegalStateException("not an end: " + other);
          };
      case End.Blocked(var reason) -> {
        var now = status();
        var held = now.isHeld() ? now : Status.BLOCKED;
        throw new WorkflowBlocked(workflowId(), held, reason);
      }
      case End.Continued _, End.Undoing _, End.Released _, End.Lost _ ->
          throw new IllegalStateException("not an end: " + how);
    };
  }

  @Override
  public <T extends @Nullable Object> void signal(Signal<T> signal, T value) {
    client.signal(workflowId(), signal, value);
  }

  @Override
  public <T extends @Nullable Object> void signal(Signal<T> signal, T value, String messageId) {
    client.signal(workflowId(), signal, value, messageId);
  }

  @Override
  public void cancel(String reason) {
    client.cancel(workflowId(), reason);
  }

  @Override
  public void terminate(String reason) {
    client.terminate(workflowId(), reason);
  }

  @Override
  public void terminate(String reason, boolean compensate) {
    client.terminate(workflowId(), reason, compensate);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R query(
      Query<A, R> query, A argument) {
    return client.query(workflowId(), query, argument);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument) {
    return client.update(workflowId(), update, argument);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument, String messageId) {
    return client.update(workflowId(), update, argument, messageId);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      Update<A, R> update, A argument, String messageId, Duration limit) {
    return client.update(workflowId(), update, argument, messageId, limit);
  }

  @Override
  public <T> Optional<T> published(Key<T> key) {
    return client.published(workflowId(), key);
  }

  @Override
  public void resume() {
    client.resume(workflowId());
  }

  @Override
  public Status status() {
    return find().status();
  }

  @Override
  public RunDescription describe() {
    return client.describe(workflowId());
  }

  @Override
  public List<HistoryEvent> history() {
    return client.history(workflowId());
  }
}
