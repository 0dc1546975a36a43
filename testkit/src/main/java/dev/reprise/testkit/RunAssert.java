package dev.reprise.testkit;

import dev.reprise.FailureInfo;
import dev.reprise.Handle;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about a run, by what its history has recorded. Those about its end wait for it; the
 * others take the run as it is. A failure shows the history.
 */
public sealed class RunAssert<O extends @Nullable Object>
    extends AbstractAssert<RunAssert<O>, Handle<O>> permits ActivityAssert {

  RunAssert(Handle<O> run) {
    super(run, RunAssert.class);
  }

  // ---- activities -------------------------------------------------------------------------------

  /**
   * An activity has ended at least once, with a result or with a failure.
   *
   * @param activity its recorded name, such as {@code Payments.charge}, or the label
   */
  public ActivityAssert<O> ran(String activity) {
    var outcomes = outcomes(activity);
    if (outcomes.isEmpty()) throw unlike("%s should have run, but did not".formatted(activity));
    return new ActivityAssert<>(actual, activity, outcomes);
  }

  /** An activity has not ended. */
  public RunAssert<O> didNotRun(String activity) {
    int times = outcomes(activity).size();
    if (times > 0) {
      throw unlike("%s should not have run, but did %s".formatted(activity, counted(times)));
    }
    return this;
  }

  /** These activities have ended in this order; others may have in between. */
  public RunAssert<O> ranInOrder(String... activities) {
    var order = facts().stream().map(fact -> activity(fact.event())).filter(Objects::nonNull);
    var ended = new ArrayList<@Nullable String>(order.toList());
    for (var activity : activities) {
      int place = ended.indexOf(activity);
      if (place < 0) {
        throw unlike(
            "should have run %s in this order, but %s did not come after the one before it"
                .formatted(List.of(activities), activity));
      }
      ended.subList(0, place + 1).clear();
    }
    return this;
  }

  private List<Fact> outcomes(String activity) {
    return facts(event -> activity.equals(activity(event)));
  }

  private static @Nullable String activity(Event event) {
    return switch (event) {
      case Event.ActivityCompleted e -> e.call().name();
      case Event.ActivityFailed e -> e.call().name();
      default -> null;
    };
  }

  // ---- waits ------------------------------------------------------------------------------------

  /** A signal has arrived, whether or not the workflow has taken it. */
  public RunAssert<O> received(String signal) {
    if (signals(signal).isEmpty()) throw unlike("no signal '%s' arrived".formatted(signal));
    return this;
  }

  /** A signal with that value has arrived. */
  public <T extends @Nullable Object> RunAssert<O> received(Signal<T> signal, T value) {
    var wanted = payload(value, signal.type());
    if (signals(signal.name()).stream().noneMatch(fact -> isPayloadOf(fact, wanted))) {
      throw unlike("no signal '%s' with %s arrived".formatted(signal.name(), wanted));
    }
    return this;
  }

  private static boolean isPayloadOf(Fact fact, Payload wanted) {
    var payload = fact.event().payload();
    return payload != null && payload.equals(wanted);
  }

  private List<Fact> signals(String name) {
    return facts(e -> e instanceof Event.SignalReceived signal && signal.signal().equals(name));
  }

  /** It has slept exactly so long, in one sleep that is over. */
  public RunAssert<O> slept(Duration duration) {
    var over = facts(Event.TimerFired.class::isInstance).stream().map(f -> f.event().subject());
    var ids = over.toList();
    boolean found =
        facts().stream()
            .anyMatch(
                fact ->
                    fact.event() instanceof Event.TimerScheduled(var id, var due)
                        && ids.contains(id)
                        && Duration.between(fact.shown().recordedAt(), due).equals(duration));
    if (!found) throw unlike("should have slept for %s".formatted(Elapsed.text(duration)));
    return this;
  }

  /** One of its branches waits for that, such as {@code signal 'approval'} or {@code sleep}. */
  public RunAssert<O> isWaitingFor(String what) {
    var waits = run().describe().waitingFor();
    if (waits.stream().noneMatch(wait -> wait.toString().contains(what))) {
      throw unlike("should wait for %s, but waits for %s".formatted(what, waits));
    }
    return this;
  }

  /** It has not ended. */
  public RunAssert<O> isOpen() {
    var status = run().status();
    if (status.isClosed()) throw unlike("should be open, but is %s".formatted(status));
    return this;
  }

  // ---- the end ----------------------------------------------------------------------------------

  /** It ends with that result. */
  public RunAssert<O> completedWith(O expected) {
    awaitEnd(Status.COMPLETED, "should complete with " + expected);
    var result = run().result();
    if (!Objects.deepEquals(result, expected)) {
      throw unlike("should complete with%n  %s%nbut with%n  %s".formatted(expected, result));
    }
    return this;
  }

  /** It fails with that exception, or because of it. */
  public RunAssert<O> failedWith(Class<? extends Throwable> type) {
    return failed("with a " + type.getName(), failure -> failure.is(type));
  }

  /** It fails with a message that has this in it, or because of something that says so. */
  public RunAssert<O> failedWith(String message) {
    return failed(
        "with the message '" + message + "'",
        failure -> failure.message() != null && failure.message().contains(message));
  }

  private RunAssert<O> failed(String how, Predicate<FailureInfo> wanted) {
    awaitEnd(Status.FAILED, "should fail " + how);
    var last = facts().getLast().event();
    if (!(last instanceof Event.WorkflowFailed(var failure)) || !isIn(failure, wanted)) {
      throw unlike("should fail " + how + ", but failed otherwise");
    }
    return this;
  }

  static boolean isIn(FailureInfo failure, Predicate<FailureInfo> wanted) {
    return Stream.<FailureInfo>iterate(failure, Objects::nonNull, FailureInfo::cause)
        .anyMatch(wanted);
  }

  /** It ends because somebody cancelled it. */
  public RunAssert<O> isCancelled() {
    awaitEnd(Status.CANCELLED, "should be cancelled");
    return this;
  }

  /** It is held, because its code and its history disagree or its code made a mistake. */
  public RunAssert<O> isBlocked() {
    awaitEnd(Status.BLOCKED, "should be blocked");
    return this;
  }

  private void awaitEnd(Status wanted, String expected) {
    if (goesOn()) {
      try {
        var _ = run().result();
      } catch (RuntimeException ended) {
        if (goesOn()) throw ended;
      }
    }
    var status = run().status();
    if (status != wanted) throw unlike("%s, but is %s".formatted(expected, status));
  }

  private boolean goesOn() {
    var status = run().status();
    return !status.isClosed() && !status.isHeld();
  }

  // ---- how --------------------------------------------------------------------------------------

  private Handle<O> run() {
    isNotNull();
    return actual;
  }

  private List<Fact> facts() {
    return Fact.of(run().history());
  }

  private List<Fact> facts(Predicate<Event> wanted) {
    return facts().stream().filter(fact -> wanted.test(fact.event())).toList();
  }

  /** The value as the history has it. */
  Payload payload(@Nullable Object value, Type type) {
    Codec codec = actual instanceof TestHandle<O> handle ? handle.codec() : new JsonCodec();
    return new Values(codec).encode(value, type, "the expected value");
  }

  static String counted(int count) {
    return count == 1 ? "once" : count + " times";
  }

  /** The failure of an assertion, with the history. */
  AssertionError unlike(String message) {
    var table = HistoryTable.of(actual.describe(), actual.history());
    return Objects.requireNonNull(failure("'%s' %s%n%n%s", actual.workflowId(), message, table));
  }
}
