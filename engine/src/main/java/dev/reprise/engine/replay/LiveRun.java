package dev.reprise.engine.replay;

import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.Waiting;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.replay.Baton.Message;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run in memory.
 *
 * <p>Life is a sequence of rounds. A round begins with one event: the next of the history while
 * there is one, later what a message from outside means. The event is delivered on the {@link
 * Stage}; then all fibers run until all wait, and what they ask for is recorded on the way. When
 * there is nothing left to do, what was recorded goes to the journal, and only when that is durable
 * do the activities begin that the code has asked for: code may run ahead of the disk, effects may
 * not.
 *
 * <p>A run whose code has ended without success comes back into memory to be undone: then the
 * engine's own {@link Undoing} plays where the workflow's code did.
 *
 * <p>The public methods may be called by any thread. All fields belong to whoever holds the {@link
 * Baton}.
 */
public final class LiveRun {
  private static final Logger LOG = LoggerFactory.getLogger(LiveRun.class);
  private static final RunChange NO_CHANGE = new RunChange.None();

  private final RunRow row;
  private final WorkflowDefinition definition;
  private final RunSettings settings;
  private final RunPort port;
  private final Baton baton = new Baton(new Rounds());
  private final Outbox outbox;
  private final RunContext context;
  private final Stage stage;
  private final StepAttempts attempts;
  private final Deadlines deadlines;
  private final ChildStarts childStarts;
  private final RunInputs inputs;
  private final StoredWake storedWake;
  private final Ending ending;
  private @Nullable Instant deadline; // of the whole run
  private RunPort.@Nullable Timer alarm; // at the deadline
  private boolean begun;
  private boolean coded = true; // whether the workflow's code plays
  private int inFlight; // activities that run now
  private boolean parked;
  private boolean stopping; // begins no activity any more

  public LiveRun(RunRow row, WorkflowDefinition definition, RunSettings settings, RunPort port) {
    this.row = row;
    this.definition = definition;
    this.settings = settings;
    this.port = port;
    this.outbox = new Outbox(row.key(), port);
    this.context = new RunContext(this, row, settings);
    this.stage = new Stage(settings.machine(), row, baton, this::recorded, this::now);
    var happenings = new RunHappenings();
    this.attempts =
        new StepAttempts(settings, port, row, stage, () -> port.beforeEffect(this), happenings);
    this.deadlines = new Deadlines(stage, baton, port, happenings);
    this.childStarts = new ChildStarts(this, port, happenings);
    this.inputs = new RunInputs(this, outbox);
    this.ending = new Ending(row, stage, outbox, baton, this::fetch, this::gone);
    this.storedWake = new StoredWake(row.wakeAt(), port.now());
  }

  // ---- from outside -----------------------------------------------------------------------------

  public RunRow row() {
    return row;
  }

  /** Runs the code: first along this history, then live. Called once. */
  public void begin(List<EventRow> history, List<InputRow> waiting) {
    internally(
        () -> {
          begun = true;
          inputs.line().add(waiting);
          if (isUndone(history)) undo(history);
          else if (RunInputs.endsAtOnce(waiting)) foldOnly(history);
          else play(history);
          ending.repostDeferred();
        });
  }

  /** Is blocked before its code begins. Called once, instead of begin. */
  public void hold(RepriseException why) {
    internally(
        () -> {
          begun = true;
          block(why);
        });
  }

  /** Runs the code along this history, whatever became of the run. Called once. */
  void rehearse(List<EventRow> history) {
    internally(
        () -> {
          begun = true;
          play(history);
        });
  }

  private void play(List<EventRow> history) {
    stage.castAs(new Code());
    stage.follow(history);
  }

  private static boolean isUndone(List<EventRow> history) {
    int code = EventType.COMPENSATIONS_STARTED.code();
    return history.stream().anyMatch(event -> event.type() == code);
  }

  /** The code has ended before: what is left to do follows from the history alone. */
  private void undo(List<EventRow> history) {
    foldOnly(history);
    stage.cast().begin(context, _ -> new Undoing(this, settings).play());
  }

  private void foldOnly(List<EventRow> history) {
    coded = false;
    stage.fold(history);
  }

  /** What the workflow's code does with events that no wait is for. */
  private final class Code implements Stage.Role {
    @Override
    public void begin(Event.WorkflowStarted started) {
      context.begin(definition, started.input());
    }

    @Override
    public boolean update(Event.UpdateReceived update) {
      return context.handlers().begin(update);
    }

    @Override
    public boolean childEnded(String id, Event outcome) {
      return context.children().ended(id, outcome);
    }
  }

  /** Inputs wait in the store: they come before signals that are sent from now on. */
  public void fetchInputs() {
    internally(this::fetch);
  }

  private void fetch() {
    inputs.line().fetchBegins();
    port.fetchInputs(this);
  }

  /** Hands over inputs that wait in the store, once for each time they were asked for. */
  public void offer(List<InputRow> waiting) {
    internally(
        () -> {
          inputs.line().fetched(waiting);
          if (!inputs.line().isFetching()) ending.repostDeferred();
        });
  }

  /** What became of an input. */
  public enum Reply {
    /** It is in the history, durably. */
    ACCEPTED,
    /** The run has left memory, or is about to: only the store knows whether it is closed. */
    GONE
  }

  /** Takes an input in. The answer comes when it is durable. */
  public CompletableFuture<Reply> accept(
      InputRow.Kind kind, String name, @Nullable String message, Payload value) {
    return inputs.accept(kind, name, message, value);
  }

  /** Sends a request; the answer is the event that has it, or empty if only the store knows. */
  public CompletableFuture<Optional<Event>> update(String name, Payload value, String message) {
    return inputs.update(name, value, message);
  }

  /** Asks a question; empty if the run is not in memory any more. */
  public CompletableFuture<Optional<Payload>> query(String name, Payload argument) {
    var answer = new CompletableFuture<Optional<Payload>>();
    baton.post(
        Message.internal(
            () -> {
              if (!begun || stage.isReplaying()) answer.complete(Optional.empty());
              else answer(answer, name, argument);
            },
            () -> answer.complete(Optional.empty())));
    return answer;
  }

  /** For the holder of the baton. */
  void answer(CompletableFuture<Optional<Payload>> answer, String name, Payload argument) {
    try {
      answer.complete(Optional.of(context.handlers().answer(name, argument)));
    } catch (RuntimeException | Error refused) {
      answer.completeExceptionally(refused);
    }
  }

  /** What its branches wait for. */
  public CompletableFuture<List<Waiting>> waitingFor() {
    var answer = new CompletableFuture<List<Waiting>>();
    baton.post(
        Message.internal(
            () -> answer.complete(stage.cast().waiting()), () -> answer.complete(List.of())));
    return answer;
  }

  /**
   * A run at a moment at which all its branches wait.
   *
   * @param activities how many it has asked for that have not ended
   * @param events how many it has recorded, durable or not
   * @param busy whether it has something to do that needs nothing from outside
   */
  public record Snapshot(int activities, int events, boolean busy) {}

  /** A look at it, once all its branches wait. */
  public CompletableFuture<Snapshot> snapshot() {
    var answer = new CompletableFuture<Snapshot>();
    baton.post(Message.internal(() -> answer.complete(look()), () -> answer.complete(look())));
    return answer;
  }

  private Snapshot look() {
    boolean ends = ending.isUnderWay() || ending.hasCodeEnded();
    boolean busy =
        ends
            || inputs.line().isFetching()
            || !outbox.isEmpty()
            || !childStarts.isDone()
            || !isSettled();
    return new Snapshot(inFlight + stage.waits().toLaunch().size(), stage.state().size(), busy);
  }

  /** Whether what it waits for has begun: activities, or else time and inputs. */
  private boolean isSettled() {
    var waits = stage.waits();
    boolean begins =
        !waits.toArm().isEmpty() || !waits.toLaunch().isEmpty() || !waits.toGiveUp().isEmpty();
    return begun && !begins && (parked || inFlight > 0);
  }

  /** Leaves memory if it is parked, to make room; not if it would have to come back by then. */
  public void evict(Instant soon) {
    post(
        () -> {
          if (!parked || !baton.isMailboxEmpty()) return;
          var due = earliestDue();
          if (due == null || due.isAfter(soon)) ending.release(due);
        });
  }

  /** Begins no activity any more, and leaves memory when those that run have ended. */
  public void stop() {
    internally(
        () -> {
          stopping = true;
          if (!begun) ending.release(port.now());
        });
  }

  /** Leaves memory now, whatever runs. */
  public void abandon() {
    internally(() -> ending.release(port.now()));
  }

  /** Leaves memory now and writes nothing: this node may not write any more. */
  public void lose(RuntimeException why) {
    internally(() -> ending.lose(why));
  }

  /** About how many bytes it takes while it is parked. For the holder of the baton. */
  public long weight() {
    return stage.weight();
  }

  /** The thread of its code that has been running since before that time, if there is one. */
  public @Nullable Thread runningSince(long nanoTime) {
    return baton.runningSince(nanoTime);
  }

  // ---- from its own code ------------------------------------------------------------------------

  Stage stage() {
    return stage;
  }

  void await(Fiber fiber, Wait wait) {
    stage.cast().await(fiber, wait, attempts);
  }

  /** How long the history of a loop may become. */
  int loopLimit() {
    return settings.loopLimit();
  }

  /** The code has ended. */
  void ended(Command how, String what) {
    if (stage.cast().isDead()) return;
    stage.cast().over();
    if (how instanceof Command.Undo undo) ending.undo(undo, what);
    else if (stage.isReplaying() || childStarts.isDone()) ending.close(how, what);
    else ending.closeLater(how);
  }

  /** The workflow goes on with another run and this input. */
  void continues(Payload input) {
    continues(Continuation.with(row, definition.hash(), input));
  }

  /** The workflow goes on with another run in the middle of a loop. */
  void continues(Loop.Edge edge) {
    continues(Continuation.at(row, definition.hash(), edge));
  }

  private void continues(Continuation continuation) {
    if (stage.cast().isDead()) return;
    if (stage.isReplaying()) {
      ended(new Command.ContinueAsNew(recordedNext()), "goes on with a new run");
      return;
    }
    stage.cast().over();
    ending.continueLater(continuation);
    if (!outbox.isEmpty()) outbox.flush(NO_CHANGE); // the new run may begin with it
    outbox.afterAll(
        (_, failure) -> {
          if (failure == null) prepare(continuation);
        });
  }

  /** What the history says that came next; if it says something else, that is told. */
  private UUID recordedNext() {
    stage.passInputs();
    return stage.peek() instanceof Recorded next
            && next.event() instanceof Event.WorkflowContinuedAsNew(var id)
        ? id
        : row.runId();
  }

  private void prepare(Continuation continuation) {
    var _ =
        port.next(this, continuation.toCopy())
            .whenComplete(
                (next, failure) ->
                    internally(
                        () -> {
                          if (next != null) continuation.ready(next);
                          else ending.lose(new IllegalStateException("no new run", failure));
                        }));
  }

  /** The code and the history disagree, or the code made a mistake. */
  void block(Throwable mistake) {
    if (stage.cast().isDead() || ending.isUnderWay()) return;
    port.blocking(this, mistake);
    ending.block(reason(mistake));
  }

  void warnOf(Throwable mistake) {
    LOG.atWarn()
        .addKeyValue("workflow.id", row.workflowId())
        .setCause(mistake instanceof RepriseException ? null : mistake)
        .log("run blocked: {}", reason(mistake));
  }

  private static String reason(Throwable mistake) {
    return String.valueOf(
        mistake instanceof RepriseException e ? e.getMessage() : mistake.toString());
  }

  /** Hands over what asked for children, so that their starts come before what is sent to them. */
  void startChildren() {
    if (!childStarts.areWaiting()) return;
    outbox.flush(storedWake.activeSince(port.now()));
    childStarts.begin();
  }

  /** What an event means beside the history. */
  private void recorded(Recorded recorded) {
    outbox.add(recorded);
    switch (recorded.event()) {
      case Event.ChildStarted child -> childStarts.add(child);
      case Event.MessageSent sent -> outbox.deliver(delivery(sent, recorded.at()));
      case Event.AttributeChanged _ -> outbox.attributes(attributes());
      case Event.UpdateCompleted answer -> inputs.answered(answer.message(), answer);
      case Event.UpdateFailed answer -> inputs.answered(answer.message(), answer);
      default -> {}
    }
  }

  private String attributes() {
    var json = AttributesJson.write(stage.state().life().attributeMap());
    return json == null ? "{}" : json;
  }

  private Delivery delivery(Event.MessageSent sent, Instant at) {
    var kind =
        switch (sent.kind()) {
          case SIGNAL -> InputRow.Kind.SIGNAL;
          case CANCEL -> InputRow.Kind.CANCEL;
        };
    var message = row.runId() + "/" + sent.id();
    return new Delivery(
        sent.workflowId(), null, kind, sent.name(), message, sent.value().bytes(), at);
  }

  // ---- for its inputs ---------------------------------------------------------------------------

  boolean hasBegun() {
    return begun;
  }

  /** Whether nothing goes into its history at the moment, or ever again. */
  boolean isLeaving() {
    return ending.isUnderWay() || ending.continuation() != null;
  }

  void defer(Message message) {
    ending.defer(message);
  }

  /** Leaves a message from a caller. */
  void send(Message message) {
    baton.post(message);
  }

  /** Whether the code lets a request in. */
  void checkUpdate(String name, Payload value) {
    if (!coded || ending.hasCodeEnded()) throw RunInputs.noCode(row.workflowId());
    context.handlers().check(name, value);
  }

  /** Somebody ends the run, whatever its code does. */
  void terminate(Input.TerminateSent input) {
    wake();
    var event = Decider.decide(stage.state(), input, now());
    if (event.isEmpty()) return;
    if (event.get() instanceof Event.CompensationsStarted) {
      stage.append(event.get(), null, now());
      ending.undo();
    } else {
      stage.cast().over();
      ending.closeLater(new Command.Terminate(input.requester(), input.reason()));
    }
  }

  /** What an input means: at most one event, recorded and, while there is code, delivered. */
  void enter(Input input, @Nullable String site) {
    wake();
    var now = now();
    var event = Decider.decide(stage.state(), input, now);
    if (event.isEmpty()) return;
    var recorded = stage.append(event.get(), site, now);
    if (!ending.hasCodeEnded()) stage.deliver(recorded); // a replay would not get that far
  }

  /** The time, but never before that of the last event. */
  Instant now() {
    var now = port.now();
    var last = stage.state().now();
    return now.isBefore(last) ? last : now;
  }

  // ---- rounds -----------------------------------------------------------------------------------

  private void wake() {
    if (!parked) return;
    parked = false;
    port.woken(this);
  }

  private void gone(End how) {
    if (alarm != null) alarm.cancel();
    inputs.gone();
    port.ended(this, how);
  }

  private final class RunHappenings implements Happenings {
    @Override
    public void wake() {
      LiveRun.this.wake();
    }

    @Override
    public void stepEnded() {
      inFlight--;
    }

    @Override
    public void enter(Input input, @Nullable String site) {
      LiveRun.this.enter(input, site);
    }

    @Override
    public void lost(RuntimeException why) {
      ending.lose(why);
    }
  }

  private final class Rounds implements Baton.Rounds {
    @Override
    public boolean mayRun() {
      return stage.cast().isDead() || !(ending.isUnderWay() || ending.hasCodeEnded());
    }

    @Override
    public boolean nextEvent() {
      if (stage.cast().isDead() || isLeaving() || !begun) return false;
      try {
        boolean played = !ending.hasCodeEnded() && stage.nextEvent();
        return played || nextInput();
      } catch (RuntimeException | Error mistake) {
        block(mistake);
        return true;
      }
    }

    private boolean nextInput() {
      boolean any = inputs.next();
      if (any) flushIfFull();
      return any;
    }

    @Override
    public void accept(Message message) {
      if (stage.cast().isDead()) message.refuse();
      else if (!isOpen() && !message.isInternal()) ending.defer(message);
      else handle(message);
      flushIfFull();
    }

    /** Between its begin and its end; after that, only inputs go into the history. */
    private boolean isOpen() {
      return begun && !ending.isUnderWay() && !ending.hasCodeEnded();
    }

    private void handle(Message message) {
      try {
        message.handle();
      } catch (RuntimeException | Error mistake) {
        block(mistake);
      }
    }

    @Override
    public void idle() {
      if (stage.cast().isDead() || ending.isUnderWay() || !begun) return;
      try {
        settle();
      } catch (RuntimeException | Error mistake) {
        block(mistake);
      }
    }

    private void settle() {
      if (ending.hasCodeEnded()) {
        settleEnd();
        return;
      }
      childStarts.lookAt(stage.state());
      watchRun();
      deadlines.giveUpRetries();
      if (baton.hasReady()) return;
      deadlines.watch();
      boolean idle = inFlight == 0 && childStarts.isDone();
      boolean waiting = idle && (stopping || stage.waits().toLaunch().isEmpty());
      if (stopping && waiting) {
        ending.release(stage.waits().toLaunch().isEmpty() ? earliestDue() : port.now());
        return;
      }
      flush(waiting);
      childStarts.begin();
      launch();
      if (waiting) park();
    }

    /** What asked for children is handed over first, so that they exist when they are told. */
    private void settleEnd() {
      if (!childStarts.isDone()) {
        startChildren();
        return;
      }
      var continuation = ending.continuation();
      if (continuation != null) {
        if (continuation.next() != null) ending.closeAgain(now());
      } else if (!inputs.line().isFetching()) {
        ending.closeAgain(now());
      }
    }
  }

  private void flushIfFull() {
    if (outbox.isFull() && !ending.isUnderWay()) {
      outbox.flush(NO_CHANGE);
      childStarts.begin();
    }
  }

  private void flush(boolean waiting) {
    var change =
        waiting ? storedWake.parkedUntil(earliestDue()) : storedWake.activeSince(port.now());
    if (outbox.isEmpty() && change instanceof RunChange.None) return;
    outbox.flush(change, !stopping && !stage.waits().toLaunch().isEmpty());
  }

  private void park() {
    if (parked) return;
    parked = true;
    port.parked(this);
  }

  private void launch() {
    var waits = stage.waits();
    if (stopping || waits.toLaunch().isEmpty()) return;
    for (var wait : waits.toLaunch()) {
      inFlight++;
      wait.barrier = outbox.last();
      attempts.prepare(wait);
      wait.fiber.launch();
    }
    waits.toLaunch().clear();
  }

  // ---- the time it may take ---------------------------------------------------------------------

  /** Begins to watch the time that the run may take, once its code has caught up. */
  private void watchRun() {
    if (alarm != null || stage.state().status() != Status.RUNNING) return;
    var given = stage.state().life().origin().timeout();
    var limit = given != null ? given : definition.workflow().timeout().orElse(null);
    if (limit == null || stage.state().cancelled() != null) return;
    deadline = Decider.after(row.startedAt(), limit);
    alarm = deadlines.watchRun(deadline);
  }

  /** When it has to do something again, or null if only an input can make it. */
  private @Nullable Instant earliestDue() {
    var due = stage.waits().earliestDue();
    if (deadline == null || stage.state().cancelled() != null) return due;
    return due == null || deadline.isBefore(due) ? deadline : due;
  }

  // ---- messages ---------------------------------------------------------------------------------

  void post(Runnable handling) {
    baton.post(Message.of(handling, () -> {}));
  }

  /** A message that is handled at any time. */
  void internally(Runnable handling) {
    baton.post(Message.internal(handling, () -> {}));
  }
}
