package dev.reprise.engine.replay;

import dev.reprise.BranchFailed;
import dev.reprise.Context.Branch;
import dev.reprise.Context.ScopeBody;
import dev.reprise.JoinPolicy;
import dev.reprise.Promise;
import dev.reprise.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Branches that end together. Belongs to whoever holds the baton. */
final class RunScope implements Scope {
  private final Branches branches;
  private final Fiber owner;
  private final JoinPolicy policy;
  private final CancelScope cancel;
  private final List<BranchPromise<?>> forked = new ArrayList<>();
  private @Nullable Throwable failure; // the first, if that ends the scope
  private boolean cancelled;
  private boolean over;

  RunScope(Branches branches, Fiber owner, JoinPolicy policy) {
    this.branches = branches;
    this.owner = owner;
    this.policy = policy;
    this.cancel = owner.scope().inner();
  }

  /** Runs the body and waits for all branches, whatever becomes of it. */
  <T extends @Nullable Object> T play(ScopeBody<? extends T> body) {
    var before = owner.scope();
    owner.within(cancel);
    try {
      T result = body.run(this);
      join();
      return result;
    } catch (Unwind gone) {
      throw gone;
    } catch (Throwable thrown) {
      give(thrown);
      settle();
      throw unchecked(failure == null ? thrown : failure);
    } finally {
      over = true;
      owner.within(before);
    }
  }

  /** Waits for all branches, also for those that they start meanwhile. */
  private void settle() {
    int waitedFor;
    do {
      waitedFor = forked.size();
      branches.settle(owner, List.copyOf(forked));
    } while (forked.size() > waitedFor);
  }

  /** The body has failed, perhaps only because a branch did. */
  private void give(Throwable thrown) {
    if (failure == null) failure = thrown;
    end("the body of its scope failed");
  }

  @Override
  public <T extends @Nullable Object> Promise<T> fork(Branch<? extends T> branch) {
    var fiber = branches.enter();
    if (over) throw new IllegalStateException("the scope has ended: it starts no branch any more");
    var promise = branches.<T>spawn(fiber, cancel.inner(), branch, this);
    forked.add(promise);
    return promise;
  }

  @Override
  public void join() {
    branches.cast().enterAnyway();
    settle();
    if (failure != null) throw unchecked(failure);
  }

  @Override
  public void cancel() {
    branches.cast().enterAnyway();
    end("its scope was cancelled");
  }

  private void end(String why) {
    if (cancelled) return;
    cancelled = true;
    cancel.cancel(why);
    branches.cast().giveUp(owner);
  }

  /** A branch has failed: unless it was given up, that ends a scope that fails fast. */
  void failed(Throwable thrown) {
    if (policy != JoinPolicy.FAIL_FAST || cancelled) return;
    failure = thrown;
    end("another branch of its scope failed");
  }

  private static RuntimeException unchecked(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new BranchFailed(thrown);
    };
  }
}
