package dev.reprise;

import java.io.Serializable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The ways to run an activity inline, as a step of the calling workflow.
 *
 * <p>A step is recorded when it ends and never run again once its completion is durable. A failed
 * attempt is recorded too and tried again as the {@link RetryPolicy} says; when the attempts are
 * used up the call throws {@link ActivityFailed}. A step whose process died before its end was
 * recorded is run again: activities happen at least once, so make them idempotent.
 *
 * <p>Two forms, one meaning. By <b>bound method reference</b>, {@code ctx.run(payments::charge,
 * order)}: name {@code Payments.charge} and the result type come from the code. By <b>label</b>,
 * {@code ctx.run("fx-rate", BigDecimal.class, () -> rates.of("EUR"))}: for a lambda, which has
 * neither a name nor a type of its own.
 */
public interface Steps {

  /** Runs a method without arguments. */
  <R extends @Nullable Object> R run(Step0<R> step);

  /** Runs a method with one argument. */
  <A extends @Nullable Object, R extends @Nullable Object> R run(Step1<A, R> step, A a);

  /** Runs a method with two arguments. */
  <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object> R run(
      Step2<A, B, R> step, A a, B b);

  /** Runs a method with three arguments. */
  <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      R run(Step3<A, B, C, R> step, A a, B b, C c);

  /** Runs a method without arguments and result. */
  void run(VoidStep0 step);

  /** Runs a method with one argument and no result. */
  <A extends @Nullable Object> void run(VoidStep1<A> step, A a);

  /** Runs a method with two arguments and no result. */
  <A extends @Nullable Object, B extends @Nullable Object> void run(VoidStep2<A, B> step, A a, B b);

  /** Runs a method with three arguments and no result. */
  <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object> void run(
      VoidStep3<A, B, C> step, A a, B b, C c);

  /** Runs a lambda under a label, with a result of a plain class. */
  <R extends @Nullable Object> R run(String label, Class<R> type, Callable<? extends R> step);

  /** Runs a lambda under a label, with a result of a generic type. */
  <R extends @Nullable Object> R run(String label, TypeRef<R> type, Callable<? extends R> step);

  /** Runs a lambda under a label, without a result. */
  void run(String label, Action step);

  /**
   * Puts an activity on its queue and goes on: what it gives can be waited for, or ignored. It runs
   * even if the workflow ends first; only cancelling the workflow, or the branch that asked for it,
   * cancels it too. The queue is that of the options, else {@code default}.
   */
  <R extends @Nullable Object> Promise<R> schedule(Step0<R> step);

  /** Puts an activity with one argument on its queue. */
  <A extends @Nullable Object, R extends @Nullable Object> Promise<R> schedule(
      Step1<A, R> step, A a);

  /** Puts an activity with two arguments on its queue. */
  <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
      Promise<R> schedule(Step2<A, B, R> step, A a, B b);

  /** Puts an activity with three arguments on its queue. */
  <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      Promise<R> schedule(Step3<A, B, C, R> step, A a, B b, C c);

  /** Puts an activity without arguments and result on its queue. */
  Promise<@Nullable Void> schedule(VoidStep0 step);

  /** Puts an activity with one argument and no result on its queue. */
  <A extends @Nullable Object> Promise<@Nullable Void> schedule(VoidStep1<A> step, A a);

  /** Puts an activity with two arguments and no result on its queue. */
  <A extends @Nullable Object, B extends @Nullable Object> Promise<@Nullable Void> schedule(
      VoidStep2<A, B> step, A a, B b);

  /** Puts an activity with three arguments and no result on its queue. */
  <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      Promise<@Nullable Void> schedule(VoidStep3<A, B, C> step, A a, B b, C c);

  /**
   * Puts an activity on its queue by its name, for example one of another application.
   *
   * @param activity as it is registered where it runs, such as {@code Shipping.dispatch}
   */
  <R extends @Nullable Object> Promise<R> schedule(
      String activity, Class<R> result, @Nullable Object... arguments);

  /**
   * Remembers how to undo something: if the workflow fails, is cancelled or runs out of time, this
   * activity is called then, the last remembered first. By then the workflow's code is gone, so the
   * activity must be registered with the engine, and name and arguments are recorded now.
   *
   * <p>Call it right behind the step, with what the step returned; or ahead of it, with a key of
   * the workflow's own, if the step may have its effect without an answer. Never throws because the
   * workflow was cancelled: what was done can always be remembered.
   *
   * @throws RepriseException {@code R103} if no such activity is registered
   */
  void compensate(VoidStep0 undo);

  /** Remembers how to undo something, with one argument. */
  <A extends @Nullable Object> void compensate(VoidStep1<A> undo, A a);

  /** Remembers how to undo something, with two arguments. */
  <A extends @Nullable Object, B extends @Nullable Object> void compensate(
      VoidStep2<A, B> undo, A a, B b);

  /** Remembers how to undo something, with three arguments. */
  <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      void compensate(VoidStep3<A, B, C> undo, A a, B b, C c);

  /** Remembers how to undo something by the label of a registered activity. */
  void compensate(String label, @Nullable Object... arguments);

  /** A lambda without a result. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }

  /** A bound reference to a method without parameters. */
  @FunctionalInterface
  interface Step0<R extends @Nullable Object> extends Serializable {
    R apply() throws Exception;
  }

  /** A bound reference to a method with one parameter. */
  @FunctionalInterface
  interface Step1<A extends @Nullable Object, R extends @Nullable Object> extends Serializable {
    R apply(A a) throws Exception;
  }

  /** A bound reference to a method with two parameters. */
  @FunctionalInterface
  interface Step2<
          A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
      extends Serializable {
    R apply(A a, B b) throws Exception;
  }

  /** A bound reference to a method with three parameters. */
  @FunctionalInterface
  interface Step3<
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      extends Serializable {
    R apply(A a, B b, C c) throws Exception;
  }

  /** A bound reference to a {@code void} method without parameters. */
  @FunctionalInterface
  interface VoidStep0 extends Serializable {
    void apply() throws Exception;
  }

  /** A bound reference to a {@code void} method with one parameter. */
  @FunctionalInterface
  interface VoidStep1<A extends @Nullable Object> extends Serializable {
    void apply(A a) throws Exception;
  }

  /** A bound reference to a {@code void} method with two parameters. */
  @FunctionalInterface
  interface VoidStep2<A extends @Nullable Object, B extends @Nullable Object> extends Serializable {
    void apply(A a, B b) throws Exception;
  }

  /** A bound reference to a {@code void} method with three parameters. */
  @FunctionalInterface
  interface VoidStep3<
          A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      extends Serializable {
    void apply(A a, B b, C c) throws Exception;
  }
}
