package dev.reprise.engine.replay;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.ErrorCode;
import dev.reprise.Promise;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Steps;
import dev.reprise.Texts;
import dev.reprise.TypeRef;
import dev.reprise.engine.bind.CallPlace;
import dev.reprise.engine.bind.CallSite;
import dev.reprise.engine.bind.MethodRef;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import java.io.Serializable;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs activities with given options: inline, or on a queue. */
final class RunSteps implements Steps {
  /** What ids of compensations begin with. */
  static final String UNDO = "undo ";

  private static final Object[] NO_ARGUMENTS = {};

  private final LiveRun run;
  private final RunSettings settings;
  private final Ids ids;
  private final QueuedCalls queued;
  private final ActivityOptions options;

  RunSteps(
      LiveRun run, RunSettings settings, Ids ids, QueuedCalls queued, ActivityOptions options) {
    this.run = run;
    this.queued = queued;
    this.settings = settings;
    this.ids = ids;
    this.options = options;
  }

  @Override
  public <R extends @Nullable Object> R run(Step0<R> step) {
    var ref = ref(step);
    return call(step, ref, ref.result(), step::apply, NO_ARGUMENTS);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R run(Step1<A, R> step, A a) {
    var ref = ref(step);
    return call(step, ref, ref.result(), () -> step.apply(a), a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object> R run(
      Step2<A, B, R> step, A a, B b) {
    var ref = ref(step);
    return call(step, ref, ref.result(), () -> step.apply(a, b), a, b);
  }

  @Override
  public <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      R run(Step3<A, B, C, R> step, A a, B b, C c) {
    var ref = ref(step);
    return call(step, ref, ref.result(), () -> step.apply(a, b, c), a, b, c);
  }

  @Override
  public void run(VoidStep0 step) {
    call(step, ref(step), void.class, silent(step::apply), NO_ARGUMENTS);
  }

  @Override
  public <A extends @Nullable Object> void run(VoidStep1<A> step, A a) {
    call(step, ref(step), void.class, silent(() -> step.apply(a)), a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> void run(
      VoidStep2<A, B> step, A a, B b) {
    call(step, ref(step), void.class, silent(() -> step.apply(a, b)), a, b);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      void run(VoidStep3<A, B, C> step, A a, B b, C c) {
    call(step, ref(step), void.class, silent(() -> step.apply(a, b, c)), a, b, c);
  }

  @Override
  public <R extends @Nullable Object> R run(
      String label, Class<R> type, Callable<? extends R> step) {
    return callAnywhere(labelled(label), type, step);
  }

  @Override
  public <R extends @Nullable Object> R run(
      String label, TypeRef<R> type, Callable<? extends R> step) {
    return callAnywhere(labelled(label), type.type(), step);
  }

  @Override
  public void run(String label, Action step) {
    callAnywhere(labelled(label), void.class, silent(step));
  }

  private MethodRef ref(Serializable step) {
    return renamed(MethodRef.of(step));
  }

  /** Histories may have it by names of before. */
  MethodRef renamed(MethodRef ref) {
    run.stage().renames().add(ref.formerNames(), ref.name());
    return ref;
  }

  private static Callable<@Nullable Object> silent(Action action) {
    return () -> {
      action.run();
      return null;
    };
  }

  /** By method reference: the only kind of call that another process can make. */
  private <R extends @Nullable Object> R call(
      Serializable step,
      MethodRef ref,
      Type type,
      Callable<? extends @Nullable Object> body,
      @Nullable Object... arguments) {
    var proxy = ActivityProxy.behind(ref, step);
    if (proxy != null) return proxy.make(ref, type, otherwise(proxy.options()), arguments);
    if (options.queue().isEmpty()) return call(ref.place(), ref.name(), type, body, arguments);
    return this.<R>queued(ref, type, arguments).await();
  }

  <R extends @Nullable Object> Promise<R> queued(
      MethodRef ref, Type type, @Nullable Object... arguments) {
    return queued.schedule(options, ref.checked().name(), type, ref.parameters(), arguments);
  }

  private <R extends @Nullable Object> Promise<R> queued(
      Serializable step, MethodRef ref, Type type, @Nullable Object... arguments) {
    var proxy = ActivityProxy.behind(ref, step);
    var by = proxy == null ? this : otherwise(proxy.options());
    return by.queued(ref, type, arguments);
  }

  ActivityOptions options() {
    return options;
  }

  /** With these options where its own say nothing. */
  private RunSteps otherwise(ActivityOptions others) {
    return new RunSteps(run, settings, ids, queued, options.otherwise(others));
  }

  private static String labelled(String label) {
    return Texts.checked(label, "label of an activity", Integer.MAX_VALUE);
  }

  /** By label, of which only the stack says where it is. */
  private <R extends @Nullable Object> R callAnywhere(
      String name, Type type, Callable<? extends @Nullable Object> body) {
    return call(CallPlace.ANYWHERE, name, type, body, NO_ARGUMENTS);
  }

  /** Asks for the activity and waits for its outcome. */
  @SuppressWarnings({"unchecked", "NullAway"}) // the codec gives what the type says
  <R extends @Nullable Object> R call(
      CallPlace place,
      String name,
      Type type,
      Callable<? extends @Nullable Object> body,
      @Nullable Object... arguments) {
    var fiber = run.stage().cast().enter();
    if (options.queue().isPresent()) throw notOnQueues(name, options.queue().get());
    var id = options.id().isPresent() ? ids.explicit(options.id().get()) : ids.next(name);
    var call = settings.values().call(id, name, arguments);
    var step =
        new Step(
            call,
            intercepted(id, name, type, body, arguments),
            type,
            options.retry().orElseGet(() -> retryOf(name)),
            options.timeout().orElse(settings.activityTimeout()),
            run.stage().state().now(),
            false);
    var site = run.stage().isReplaying() ? null : place.find();
    var wait = Wait.forStep(fiber, step, site);
    run.stage().waits().register(wait);
    run.await(fiber, wait);
    return (R) outcome(fiber, wait, type);
  }

  private RetryPolicy retryOf(String name) {
    var own = settings.activities().retry(name);
    return own == null ? settings.retry() : own;
  }

  private static RepriseException notOnQueues(String label, String queue) {
    return new RepriseException(
        ErrorCode.R138,
        "'%s' is a lambda, which only this process has, and cannot be put on queue '%s': use a method"
                .formatted(label, queue)
            + " reference, or ctx.activities(…)");
  }

  private Callable<? extends @Nullable Object> intercepted(
      String id,
      String name,
      Type type,
      Callable<? extends @Nullable Object> body,
      @Nullable Object[] arguments) {
    var interceptor = settings.interceptor();
    if (interceptor == null) return body;
    var call =
        new ActivityCall(run.row().workflowId(), id, name, type, Arrays.asList(arguments), body);
    return () -> interceptor.intercept(call);
  }

  private @Nullable Object outcome(Fiber fiber, Wait wait, Type type) {
    return switch (Objects.requireNonNull(wait.outcome)) {
      case Event.ActivityCompleted done ->
          wait.value != null
              ? wait.value
              : settings
                  .values()
                  .decode(done.result(), type, "the recorded result of " + done.call().id());
      case Event.ActivityFailed failed ->
          throw new ActivityFailed(
              failed.call().name(), failed.call().id(), failed.attempts(), failed.failure());
      case Event.ActivityCancelled _ -> throw run.stage().cast().givenUp(fiber);
      case Event other -> throw new IllegalStateException("not the outcome of a step: " + other);
    };
  }

  // ---- on queues --------------------------------------------------------------------------------

  @Override
  public <R extends @Nullable Object> Promise<R> schedule(Step0<R> step) {
    var ref = ref(step);
    return queued(step, ref, ref.result(), NO_ARGUMENTS);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> Promise<R> schedule(
      Step1<A, R> step, A a) {
    var ref = ref(step);
    return queued(step, ref, ref.result(), a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
      Promise<R> schedule(Step2<A, B, R> step, A a, B b) {
    var ref = ref(step);
    return queued(step, ref, ref.result(), a, b);
  }

  @Override
  public <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      Promise<R> schedule(Step3<A, B, C, R> step, A a, B b, C c) {
    var ref = ref(step);
    return queued(step, ref, ref.result(), a, b, c);
  }

  @Override
  public Promise<@Nullable Void> schedule(VoidStep0 step) {
    var ref = ref(step);
    return queued(step, ref, void.class, NO_ARGUMENTS);
  }

  @Override
  public <A extends @Nullable Object> Promise<@Nullable Void> schedule(VoidStep1<A> step, A a) {
    var ref = ref(step);
    return queued(step, ref, void.class, a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> Promise<@Nullable Void> schedule(
      VoidStep2<A, B> step, A a, B b) {
    var ref = ref(step);
    return queued(step, ref, void.class, a, b);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      Promise<@Nullable Void> schedule(VoidStep3<A, B, C> step, A a, B b, C c) {
    var ref = ref(step);
    return queued(step, ref, void.class, a, b, c);
  }

  @Override
  public <R extends @Nullable Object> Promise<R> schedule(
      String activity, Class<R> result, @Nullable Object... arguments) {
    return queued.schedule(options, labelled(activity), result, List.of(), arguments);
  }

  // ---- undoing ----------------------------------------------------------------------------------

  @Override
  public void compensate(VoidStep0 undo) {
    remember(MethodRef.of(undo), NO_ARGUMENTS);
  }

  @Override
  public <A extends @Nullable Object> void compensate(VoidStep1<A> undo, A a) {
    remember(MethodRef.of(undo), a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> void compensate(
      VoidStep2<A, B> undo, A a, B b) {
    remember(MethodRef.of(undo), a, b);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      void compensate(VoidStep3<A, B, C> undo, A a, B b, C c) {
    remember(MethodRef.of(undo), a, b, c);
  }

  @Override
  public void compensate(String label, @Nullable Object... arguments) {
    run.stage().cast().enterAnyway();
    var activity = settings.activities().named(labelled(label));
    remember(label, activity.parameters(), arguments);
  }

  private void remember(MethodRef undo, @Nullable Object... arguments) {
    run.stage().cast().enterAnyway();
    run.stage().renames().add(undo.formerNames(), undo.name());
    settings.activities().named(undo.name()); // refused now, not when it is needed
    remember(undo.name(), undo.parameters(), arguments);
  }

  /** Never refused because the run was cancelled: what was done can always be remembered. */
  private void remember(String name, List<Type> types, @Nullable Object... arguments) {
    if (options.queue().isPresent()) {
      throw new RepriseException(
          ErrorCode.R138, "what undoes something runs inline, not on a queue: " + name);
    }
    var id = options.id().isPresent() ? ids.explicit(options.id().get()) : ids.next(UNDO + name);
    if (!types.isEmpty() && types.size() != arguments.length) {
      throw new RepriseException(
          ErrorCode.R103,
          "activity '%s' takes %d arguments, not %d"
              .formatted(name, types.size(), arguments.length));
    }
    var packed = Arguments.pack(settings.values(), id, types, arguments);
    run.stage()
        .record(
            new Command.Remember(
                new Call(id, name, settings.values().digest(id, arguments)),
                packed.bytes(),
                packed.lengths(),
                options.retry().orElse(null),
                options.timeout().orElse(null)),
            "remembers how to undo with " + name,
            CallSite.find());
  }
}
