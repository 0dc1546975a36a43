package dev.reprise.engine.replay;

import dev.reprise.BranchFailed;
import dev.reprise.Context;
import dev.reprise.Context.Branch;
import dev.reprise.Context.ScopeBody;
import dev.reprise.JoinPolicy;
import dev.reprise.Promise;
import dev.reprise.TimedOut;
import dev.reprise.engine.bind.CallSite;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.replay.Wait.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The branches of a workflow: how they begin, and how code waits for them. */
final class Branches {
  private final LiveRun run;
  private final Context context;
  private final Ids ids;

  Branches(LiveRun run, Context context, Ids ids) {
    this.run = run;
    this.context = context;
    this.ids = ids;
  }

  <T extends @Nullable Object> Promise<T> async(Branch<? extends T> branch) {
    var fiber = enter();
    return spawn(fiber, fiber.scope().inner(), branch, null);
  }

  <T extends @Nullable Object> BranchPromise<T> spawn(
      Fiber parent, CancelScope own, Branch<? extends T> branch, @Nullable RunScope scope) {
    var promise = new BranchPromise<T>(this);
    var cast = run.stage().cast();
    promise.playedBy(
        cast.spawn(parent, own, context, fiber -> play(fiber, branch, promise, scope)));
    return promise;
  }

  private static <T extends @Nullable Object> void play(
      Fiber fiber, Branch<? extends T> branch, BranchPromise<T> promise, @Nullable RunScope scope) {
    try {
      if (fiber.isCancelled()) throw fiber.stage().cast().givenUp(fiber);
      promise.complete(branch.run());
    } catch (Unwind _) {
      // the run has left memory
    } catch (Throwable failure) {
      promise.fail(failure);
      if (scope != null) scope.failed(failure);
    }
  }

  <T extends @Nullable Object> List<T> all(List<? extends Promise<? extends T>> promises) {
    var mine = mine(promises);
    var join = join(Join.Until.ALL, mine, "all of %d branches".formatted(mine.size()));
    var failed = join.decisive();
    if (failed != null) failed.outcome();
    var results = new ArrayList<T>(mine.size());
    for (var promise : mine) results.add(promise.outcome());
    return results;
  }

  <T extends @Nullable Object> T any(List<? extends Promise<? extends T>> promises) {
    return first(Join.Until.ANY, promises, "any of %d branches");
  }

  <T extends @Nullable Object> T race(List<? extends Promise<? extends T>> promises) {
    return first(Join.Until.FIRST, promises, "the first of %d branches");
  }

  @SuppressWarnings("unchecked") // the decisive promise is one of those given
  private <T extends @Nullable Object> T first(
      Join.Until until, List<? extends Promise<? extends T>> promises, String what) {
    if (promises.isEmpty()) throw new IllegalArgumentException("no promise to wait for");
    var mine = mine(promises);
    var join = join(until, mine, what.formatted(mine.size()));
    return (T) Objects.requireNonNull(join.decisive()).outcome();
  }

  private Join join(Join.Until until, List<? extends BranchPromise<?>> promises, String what) {
    var fiber = enter();
    var join = new Join(until, promises);
    if (join.isOver()) return join;
    var wait = waitFor(promises, fiber, what);
    join.whenOver(() -> run.stage().waits().finish(wait));
    try {
      run.await(fiber, wait);
    } finally {
      join.giveUp();
    }
    return join;
  }

  /** A wait for a single child or activity says so. */
  private static Wait waitFor(List<? extends BranchPromise<?>> promises, Fiber fiber, String what) {
    var only = promises.size() == 1 ? promises.getFirst() : null;
    var child = only == null ? null : only.child();
    var site = CallSite.find();
    if (only != null && only.activity() != null) {
      var wait = new Wait(Kind.PROMISE, fiber, null, only.what(), site);
      wait.task = only;
      return wait;
    }
    if (child == null) return new Wait(Kind.PROMISE, fiber, null, what, site);
    var wait = new Wait(Kind.PROMISE, fiber, null, "child workflow '" + child + "'", site);
    wait.child = true;
    return wait;
  }

  @SuppressWarnings("unchecked") // every promise was made by a context
  private static <T extends @Nullable Object> List<BranchPromise<? extends T>> mine(
      List<? extends Promise<? extends T>> promises) {
    var mine = new ArrayList<BranchPromise<? extends T>>(promises.size());
    for (var promise : promises) {
      var branch = (BranchPromise<? extends T>) promise;
      branch.checkUser();
      mine.add(branch);
    }
    return mine;
  }

  <T extends @Nullable Object> T withTimeout(Duration limit, Branch<? extends T> branch) {
    var fiber = enter();
    var promise = this.<T>spawn(fiber, fiber.scope().inner(), branch, null);
    var join = new Join(Join.Until.FIRST, List.of(promise));
    var wait = limited(Kind.PROMISE, fiber, "timeout", limit, "a branch");
    join.whenOver(() -> run.stage().waits().finish(wait));
    run.stage().waits().register(wait);
    try {
      run.await(fiber, wait);
    } finally {
      join.giveUp();
    }
    if (!wait.timedOut) return promise.outcome();
    run.stage().cast().timeOut(Objects.requireNonNull(promise.fiber()));
    throw new TimedOut("the branch did not end within " + limit);
  }

  Wait limited(Kind kind, Fiber fiber, String name, Duration limit, String what) {
    var wait = new Wait(kind, fiber, ids.next(name), what, CallSite.find());
    wait.due = Decider.after(run.stage().state().now(), limit);
    return wait;
  }

  // ---- scopes -----------------------------------------------------------------------------------

  <T extends @Nullable Object> T scope(JoinPolicy policy, ScopeBody<? extends T> body) {
    return new RunScope(this, enter(), policy).play(body);
  }

  /** Runs code that giving up what is around it does not reach. */
  <T extends @Nullable Object> T shielded(Branch<? extends T> code) {
    var fiber = run.stage().cast().enterAnyway();
    var before = fiber.scope();
    fiber.within(before.shielded());
    try {
      return code.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new BranchFailed(e);
    } finally {
      fiber.within(before);
    }
  }

  /** Waits until all of these have ended, whatever happens meanwhile. */
  void settle(Fiber fiber, List<? extends BranchPromise<?>> promises) {
    var before = fiber.scope();
    fiber.within(before.shielded());
    try {
      var _ =
          join(
              Join.Until.SETTLED,
              promises,
              "the %d branches of a scope".formatted(promises.size()));
    } finally {
      fiber.within(before);
    }
  }

  Cast cast() {
    return run.stage().cast();
  }

  Fiber enter() {
    return run.stage().cast().enter();
  }
}
