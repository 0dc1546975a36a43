package dev.reprise.engine.replay;

import dev.reprise.Promise;
import dev.reprise.Steps;
import dev.reprise.TypeRef;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Steps that others run. */
abstract class ForwardingSteps implements Steps {

  /** Who runs them. */
  abstract Steps steps();

  @Override
  public <R extends @Nullable Object> R run(Step0<R> step) {
    return steps().run(step);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R run(Step1<A, R> step, A a) {
    return steps().run(step, a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object> R run(
      Step2<A, B, R> step, A a, B b) {
    return steps().run(step, a, b);
  }

  @Override
  public <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      R run(Step3<A, B, C, R> step, A a, B b, C c) {
    return steps().run(step, a, b, c);
  }

  @Override
  public void run(VoidStep0 step) {
    steps().run(step);
  }

  @Override
  public <A extends @Nullable Object> void run(VoidStep1<A> step, A a) {
    steps().run(step, a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> void run(
      VoidStep2<A, B> step, A a, B b) {
    steps().run(step, a, b);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      void run(VoidStep3<A, B, C> step, A a, B b, C c) {
    steps().run(step, a, b, c);
  }

  @Override
  public <R extends @Nullable Object> R run(
      String label, Class<R> type, Callable<? extends R> step) {
    return steps().run(label, type, step);
  }

  @Override
  public <R extends @Nullable Object> R run(
      String label, TypeRef<R> type, Callable<? extends R> step) {
    return steps().run(label, type, step);
  }

  @Override
  public void run(String label, Action step) {
    steps().run(label, step);
  }

  @Override
  public void compensate(VoidStep0 undo) {
    steps().compensate(undo);
  }

  @Override
  public <A extends @Nullable Object> void compensate(VoidStep1<A> undo, A a) {
    steps().compensate(undo, a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> void compensate(
      VoidStep2<A, B> undo, A a, B b) {
    steps().compensate(undo, a, b);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      void compensate(VoidStep3<A, B, C> undo, A a, B b, C c) {
    steps().compensate(undo, a, b, c);
  }

  @Override
  public void compensate(String label, @Nullable Object... arguments) {
    steps().compensate(label, arguments);
  }

  @Override
  public <R extends @Nullable Object> Promise<R> schedule(Step0<R> step) {
    return steps().schedule(step);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> Promise<R> schedule(
      Step1<A, R> step, A a) {
    return steps().schedule(step, a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
      Promise<R> schedule(Step2<A, B, R> step, A a, B b) {
    return steps().schedule(step, a, b);
  }

  @Override
  public <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      Promise<R> schedule(Step3<A, B, C, R> step, A a, B b, C c) {
    return steps().schedule(step, a, b, c);
  }

  @Override
  public Promise<@Nullable Void> schedule(VoidStep0 step) {
    return steps().schedule(step);
  }

  @Override
  public <A extends @Nullable Object> Promise<@Nullable Void> schedule(VoidStep1<A> step, A a) {
    return steps().schedule(step, a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> Promise<@Nullable Void> schedule(
      VoidStep2<A, B> step, A a, B b) {
    return steps().schedule(step, a, b);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      Promise<@Nullable Void> schedule(VoidStep3<A, B, C> step, A a, B b, C c) {
    return steps().schedule(step, a, b, c);
  }

  @Override
  public <R extends @Nullable Object> Promise<R> schedule(
      String activity, Class<R> result, @Nullable Object... arguments) {
    return steps().schedule(activity, result, arguments);
  }
}
