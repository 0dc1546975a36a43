package dev.reprise.engine.replay;

import static java.util.Collections.emptyMap;

import dev.reprise.Child;
import dev.reprise.ChildFailed;
import dev.reprise.ChildOptions;
import dev.reprise.ErrorCode;
import dev.reprise.Promise;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Texts;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.CallSite;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.RunRow;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The children of a workflow, as its code sees them. Belongs to whoever holds the baton. */
final class Children {
  private static final String CHILD = "child "; // what their ids begin with

  private final LiveRun run;
  private final RunRow row;
  private final RunSettings settings;
  private final Ids ids;
  private final Branches branches;
  private Map<String, Waited<?>> waited = emptyMap();

  private record Waited<O extends @Nullable Object>(BranchPromise<O> promise, Type type) {}

  Children(LiveRun run, RunRow row, RunSettings settings, Ids ids, Branches branches) {
    this.run = run;
    this.row = row;
    this.settings = settings;
    this.ids = ids;
    this.branches = branches;
  }

  <O extends @Nullable Object> Child<O> start(
      Class<? extends Workflow<?, O>> workflow, @Nullable Object input, ChildOptions options) {
    run.stage().cast().enter();
    var name = recordedName(workflow);
    var inputType = WorkflowDefinition.inputOf(workflow);
    return start(name, inputType, WorkflowDefinition.outputOf(workflow), input, options);
  }

  /** A child that was started under a former name keeps it: its id and its own history have it. */
  private String recordedName(Class<? extends Workflow<?, ?>> workflow) {
    var former = WorkflowDefinition.formerNamesOf(workflow);
    return run.stage().peek() instanceof Recorded next
            && next.event() instanceof Event.ChildStarted child
            && former.contains(child.workflow())
        ? child.workflow()
        : WorkflowDefinition.nameOf(workflow);
  }

  <O extends @Nullable Object> Child<O> start(
      String workflow, @Nullable Object input, Class<O> result, ChildOptions options) {
    return start(workflow, null, result, input, options);
  }

  /**
   * @param inputType null if only the workflow knows
   */
  private <O extends @Nullable Object> Child<O> start(
      String workflow,
      @Nullable Type inputType,
      Type type,
      @Nullable Object input,
      ChildOptions options) {
    run.stage().cast().enter();
    checkKnown(workflow);
    var id = ids.next(CHILD + workflow);
    var workflowId = checked(options.id().orElseGet(() -> derived(id)));
    var command =
        new Command.StartChild(
            id,
            workflow,
            workflowId,
            options.onParentClose(),
            options.timeout().orElse(null),
            encoded(input, inputType, "the input of " + id));
    run.stage().record(command, "starts " + id, CallSite.find());
    var started = Objects.requireNonNull(run.stage().state().life().children().get(id)).started();
    var promise = new BranchPromise<O>(branches, started.workflowId());
    waited = Sparse.put(waited, id, new Waited<>(promise, type));
    return new RunChild<>(id, started.workflowId(), promise);
  }

  private Payload encoded(@Nullable Object value, @Nullable Type type, String what) {
    var values = settings.values();
    return type == null ? values.encode(value, what) : values.encode(value, type, what);
  }

  /** The same each time the code runs, and of no other run. */
  private String derived(String id) {
    var lineage = run.stage().state().life().origin().lineage();
    var own = row.runId().toString();
    var which = lineage == null ? "" : "~" + own.substring(own.lastIndexOf('-') + 1);
    return ChildIds.of(row.workflowId() + which, id.substring(CHILD.length()));
  }

  /** A child that no engine could ever run would be waited for without end. */
  private void checkKnown(String workflow) {
    if (run.mayAsk(port -> port.mayRun(workflow))) return;
    var parent = row.workflowId();
    throw new RepriseException(
        ErrorCode.R102,
        "no workflow '%s' is registered for the child that '%s' starts, and no other process can run"
                .formatted(workflow, parent)
            + " it on this database: add it with workflow(…) when the engine is opened, then"
            + " resume '%s'".formatted(parent));
  }

  private static String checked(String workflowId) {
    if (workflowId.length() <= ChildIds.MAX_ID) return workflowId;
    throw new RepriseException(
        ErrorCode.R112,
        "the id of the child '%s' has %d characters, the limit is %d: give it one with ChildOptions"
            .formatted(workflowId, workflowId.length(), ChildIds.MAX_ID));
  }

  /** A child has ended. False if the code does not know it. */
  boolean ended(String id, Event outcome) {
    var child = waited.remove(id);
    if (child != null) end(child, outcome);
    return child != null;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the codec gives what the type says
  private <O extends @Nullable Object> void end(Waited<O> child, Event outcome) {
    var promise = child.promise();
    var workflowId = Objects.requireNonNull(promise.child());
    switch (outcome) {
      case Event.ChildCompleted(_, var result) -> {
        try {
          var what = "the result of " + workflowId;
          promise.complete((O) settings.values().decode(result, child.type(), what));
        } catch (RepriseException unreadable) {
          promise.fail(unreadable);
        }
      }
      case Event.ChildFailed(_, var status, var failure) ->
          promise.fail(new ChildFailed(workflowId, status, failure));
      case Event other -> throw new IllegalStateException("not the end of a child: " + other);
    }
  }

  private final class RunChild<O extends @Nullable Object> implements Child<O> {
    private final String id;
    private final String workflowId;
    private final BranchPromise<O> promise;

    RunChild(String id, String workflowId, BranchPromise<O> promise) {
      this.id = id;
      this.workflowId = workflowId;
      this.promise = promise;
    }

    @Override
    public String workflowId() {
      return workflowId;
    }

    @Override
    public Promise<O> result() {
      return promise;
    }

    @Override
    public <T extends @Nullable Object> void signal(Signal<T> signal, T value) {
      run.stage().cast().enter();
      if (value == null && signal.hasValue()) throw Received.missing(signal);
      var what = "the value of signal '" + signal.name() + "'";
      send(Event.Sent.SIGNAL, signal.name(), settings.values().encode(value, signal.type(), what));
    }

    @Override
    public void cancel(String reason) {
      run.stage().cast().enterAnyway();
      var why = Payload.of(Texts.storable(reason).getBytes(StandardCharsets.UTF_8));
      send(Event.Sent.CANCEL, "workflow " + row.workflowId(), why);
    }

    private void send(Event.Sent kind, String name, Payload value) {
      var sent = ids.next((kind == Event.Sent.SIGNAL ? "signal " : "cancel ") + id);
      run.startChildren(); // nothing may reach a child before its start
      run.stage()
          .record(
              new Command.Send(sent, workflowId, kind, name, value),
              "sends " + sent,
              CallSite.find());
    }
  }
}
