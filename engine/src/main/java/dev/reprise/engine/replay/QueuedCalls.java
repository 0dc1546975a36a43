package dev.reprise.engine.replay;

import static java.util.Collections.emptyMap;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.BranchCancelled;
import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.Promise;
import dev.reprise.RepriseException;
import dev.reprise.engine.bind.CallSite;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Queueing;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Activities on queues, as the code of a run sees them. Belongs to whoever holds the baton. */
final class QueuedCalls {
  private final LiveRun run;
  private final RunSettings settings;
  private final Ids ids;
  private final Branches branches;
  private Map<String, Waited<?>> waited = emptyMap();

  /** A call that has not ended, and what can give it up. */
  private record Waited<R extends @Nullable Object>(
      Call call, BranchPromise<R> promise, Type type, CancelScope scope) {}

  QueuedCalls(LiveRun run, RunSettings settings, Ids ids, Branches branches) {
    this.run = run;
    this.settings = settings;
    this.ids = ids;
    this.branches = branches;
  }

  /**
   * @param types of the parameters as the activity declares them, if they are known
   */
  <R extends @Nullable Object> Promise<R> schedule(
      ActivityOptions options,
      String name,
      Type type,
      List<Type> types,
      @Nullable Object... arguments) {
    var fiber = run.stage().cast().enter();
    checkKnown(name, options);
    var id = options.id().isPresent() ? ids.explicit(options.id().get()) : ids.next(name);
    var call = new Call(id, name, settings.values().digest(id, arguments));
    var packed = Arguments.pack(settings.values(), id, types, arguments);
    var queueing =
        Queueing.of(options, settings.activities().retry(name), settings.activityTimeout());
    run.stage()
        .record(
            new Command.Schedule(
                call,
                queueing,
                packed.bytes(),
                packed.lengths(),
                type.getTypeName(),
                settings.machine().secret()),
            "puts activity %s (%s) on queue '%s'".formatted(name, id, queueing.queue()),
            CallSite.find());
    var what = "activity %s on queue '%s'".formatted(name, queueing.queue());
    var promise = BranchPromise.<R>ofActivity(branches, id, what);
    waited = Sparse.put(waited, id, new Waited<>(call, promise, type, fiber.scope()));
    return promise;
  }

  /** An activity that no worker could ever have would be waited for without end. */
  private void checkKnown(String activity, ActivityOptions options) {
    if (run.mayAsk(port -> port.mayCall(activity))) return;
    throw new RepriseException(
        ErrorCode.R103,
        "no activity '%s' is registered for queue '%s', and no other process can serve the queue on"
                .formatted(activity, Queueing.queueOf(options))
            + " this database: add it with activities(…) when the engine is opened, then resume"
            + " '%s'".formatted(run.row().workflowId()));
  }

  /** Whether the code has asked for it on a queue, and has not seen its end. */
  boolean isWaited(String id) {
    return waited.containsKey(id);
  }

  /** The call has ended so. False if the code has not asked for it. */
  boolean ended(Call call, Event outcome) {
    if (waited.isEmpty()) return false;
    var found = waited.get(call.id());
    if (found == null || !found.call.name().equals(call.name())) return false;
    waited.remove(call.id());
    end(found, outcome);
    return true;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the codec gives what the type says
  private <R extends @Nullable Object> void end(Waited<R> call, Event outcome) {
    var promise = call.promise();
    switch (outcome) {
      case Event.ActivityCompleted done -> {
        try {
          promise.complete((R) decoded(call, done));
        } catch (RepriseException unreadable) {
          promise.fail(unreadable);
        }
      }
      case Event.ActivityFailed failed ->
          promise.fail(
              new ActivityFailed(
                  failed.call().name(), failed.call().id(), failed.attempts(), failed.failure()));
      case Event.ActivityCancelled cancelled ->
          promise.fail(new BranchCancelled("activity " + cancelled.call().id() + " was given up"));
      case Event other -> throw new IllegalStateException("not the end of an activity: " + other);
    }
  }

  private @Nullable Object decoded(Waited<?> call, Event.ActivityCompleted done) {
    return settings
        .values()
        .decode(done.result(), call.type(), "the result of " + done.call().id());
  }

  /**
   * Makes sure that the code can read a result before it is recorded.
   *
   * @throws RepriseException if it wants another type
   */
  void check(Event report) {
    if (!(report instanceof Event.ActivityCompleted done)) return;
    var call = waited.get(done.call().id());
    if (call == null) return;
    try {
      var _ = decoded(call, done);
    } catch (RepriseException unreadable) {
      throw misfit(call, unreadable);
    }
  }

  private static RepriseException misfit(Waited<?> call, RepriseException unreadable) {
    return new RepriseException(
        ErrorCode.R136,
        "the result of activity %s is not what the workflow wants, %s: %s"
            .formatted(call.call().name(), call.type().getTypeName(), unreadable.getMessage()));
  }

  /** The next attempt of a call comes later. */
  void failed(String id, FailureInfo failure) {
    var call = waited.get(id);
    if (call != null) call.promise().lastFailed(failure);
  }

  /** What was given up meanwhile is not wanted any more, wherever it runs. */
  void cancelUnwanted() {
    for (var call : List.copyOf(waited.values())) {
      var id = call.call().id();
      var task = run.stage().state().life().tasks().get(id);
      if (task == null || task.cancelled() || !call.scope().isCancelled()) continue;
      run.stage().record(new Command.CancelActivity(id), "gives up activity " + id, null);
    }
  }
}
