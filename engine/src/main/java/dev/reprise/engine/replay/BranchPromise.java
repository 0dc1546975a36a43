package dev.reprise.engine.replay;

import dev.reprise.BranchFailed;
import dev.reprise.FailureInfo;
import dev.reprise.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a branch. Belongs to whoever holds the baton. */
final class BranchPromise<T extends @Nullable Object> implements Promise<T> {
  private final Branches branches;
  private @Nullable Fiber fiber;
  private final @Nullable String child;
  private final @Nullable String activity;
  private final @Nullable String what;
  private @Nullable FailureInfo lastFailure;
  private boolean done;
  private @Nullable T value;
  private @Nullable Throwable failure;
  private List<Join> joins = List.of();

  BranchPromise(Branches branches) {
    this(branches, null);
  }

  /**
   * @param child the workflow id of the child whose outcome this is; null for a branch
   */
  BranchPromise(Branches branches, @Nullable String child) {
    this(branches, child, null, null);
  }

  private BranchPromise(
      Branches branches, @Nullable String child, @Nullable String activity, @Nullable String what) {
    this.branches = branches;
    this.child = child;
    this.activity = activity;
    this.what = what;
  }

  /** The outcome of an activity on a queue. */
  static <T extends @Nullable Object> BranchPromise<T> ofActivity(
      Branches branches, String id, String what) {
    return new BranchPromise<>(branches, null, id, what);
  }

  @Override
  public T await() {
    return branches.race(List.of(this));
  }

  @Override
  public boolean isDone() {
    checkUser();
    return done;
  }

  /** Only the code of its own run may use it. */
  void checkUser() {
    branches.enter();
  }

  void playedBy(Fiber branch) {
    fiber = branch;
  }

  @Nullable Fiber fiber() {
    return fiber;
  }

  @Nullable String child() {
    return child;
  }

  /** The id of the activity on a queue whose outcome this is. */
  @Nullable String activity() {
    return activity;
  }

  /** In words, what that is. */
  String what() {
    return String.valueOf(what);
  }

  void lastFailed(FailureInfo failure) {
    lastFailure = failure;
  }

  @Nullable FailureInfo lastFailure() {
    return lastFailure;
  }

  boolean hasEnded() {
    return done;
  }

  boolean hasFailed() {
    return failure != null;
  }

  void complete(@Nullable T result) {
    value = result;
    end();
  }

  void fail(Throwable why) {
    failure = why;
    end();
  }

  private void end() {
    done = true;
    joins.forEach(join -> join.ended(this));
    joins = List.of();
  }

  void tell(Join join) {
    if (joins.isEmpty()) joins = new ArrayList<>(1);
    joins.add(join);
  }

  void forget(Join join) {
    if (!joins.isEmpty()) joins.remove(join);
  }

  /** The result, or the failure thrown. */
  @SuppressWarnings("NullAway") // a branch that is done without failure has its result
  T outcome() {
    switch (failure) {
      case null -> {
        return value;
      }
      case RuntimeException e -> throw here(e);
      case Error e -> throw e;
      case Throwable e -> throw new BranchFailed(e);
    }
  }

  /**
   * What failed elsewhere is thrown at the line that asks for it; a branch has lines of its own.
   */
  private RuntimeException here(RuntimeException e) {
    if (fiber == null) e.setStackTrace(new Throwable().getStackTrace());
    return e;
  }
}
