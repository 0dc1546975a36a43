package dev.reprise.engine.replay;

import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Texts;
import dev.reprise.Waiting;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.replay.Baton.Message;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
  private final RunRow row;
  private final WorkflowDefinition definition;
  private final RunSettings settings;
  private final RunPort port;
  private final Baton baton = new Baton(new RunRounds(this));
  private final Outbox outbox;
  private final RunContext context;
  private final Stage stage;
  private final StepAttempts attempts;
  private final Deadlines deadlines;
  private final ChildStarts childStarts;
  private final RunInputs inputs;
  private final TimeLimit timeLimit;
  private final Ending ending;
  private final Settling settling;
  private boolean begun;
  private boolean coded = true; // whether the workflow's code plays

  public LiveRun(RunRow row, WorkflowDefinition definition, RunSettings settings, RunPort port) {
    this.row = row;
    this.definition = definition;
    this.settings = settings;
    this.port = port;
    this.outbox = new Outbox(row.key(), port);
    this.context = new RunContext(this, row, settings);
    var consequences = new Consequences(row, outbox, port);
    this.stage = new Stage(settings.machine(), row, baton, consequences::of, this::now);
    var happenings = new RunHappenings();
    this.attempts =
        new StepAttempts(settings, port, row, stage, () -> port.beforeEffect(this), happenings);
    this.deadlines = new Deadlines(stage, baton, port, happenings);
    this.childStarts = new ChildStarts(this, port, happenings);
    this.inputs = new RunInputs(this, outbox);
    consequences.tell(stage, childStarts, inputs);
    this.ending = new Ending(row, stage, outbox, baton, this::fetch, this::gone);
    this.timeLimit = new TimeLimit(row, definition, stage, deadlines);
    this.settling =
        new Settling(
            this, port, baton, outbox, attempts, deadlines, childStarts, timeLimit, ending);
  }

  // ---- from outside -----------------------------------------------------------------------------

  public RunRow row() {
    return row;
  }

  /** Runs the code that began it: first along this history, then live. Called once. */
  public void begin(List<EventRow> history, List<InputRow> waiting) {
    begin(history, waiting, null);
  }

  /**
   * Runs the code: first along this history, then live. Called once.
   *
   * @param newCode if the history does not say that this code goes on with it
   */
  public void begin(List<EventRow> history, List<InputRow> waiting, @Nullable NewCode newCode) {
    internally(
        () -> {
          begun = true;
          inputs.line().add(waiting);
          if (isUndone(history)) {
            undo(history);
          } else if (RunInputs.endsAtOnce(waiting)) {
            foldOnly(history);
          } else {
            stage.takeUp(newCode);
            play(history);
          }
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

    @Override
    public boolean activityEnded(Event.Call call, Event outcome) {
      return context.queued().ended(call, outcome);
    }

    @Override
    public boolean activityFailed(Event.ActivityRetryScheduled retry) {
      var id = retry.call().id();
      if (!context.queued().isWaited(id)) return false;
      context.queued().failed(id, retry.failure());
      return true;
    }

    @Override
    public void activitiesGivenUp() {
      context.queued().cancelUnwanted();
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

  /**
   * Sends a request; the answer is the event that has it, or empty if only the store knows.
   *
   * @param settled run once, when it is clear whether the request is recorded
   */
  public CompletableFuture<Optional<Event>> update(
      String name, Payload value, String message, Runnable settled) {
    return inputs.update(name, value, message, settled);
  }

  /** Asks a question; empty if the run is not in memory any more. */
  public CompletableFuture<Optional<Payload>> query(String name, Payload argument) {
    var answer = new CompletableFuture<Optional<Payload>>();
    baton.post(
        Message.internal(
            () -> {
              if (!begun || !coded || stage.isReplaying()) answer.complete(Optional.empty());
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
    Runnable look = () -> answer.complete(settling.look(inputs.line().isFetching()));
    baton.post(Message.internal(look, look));
    return answer;
  }

  /** Leaves memory if it is parked, to make room; not if it would have to come back by then. */
  public void evict(Instant soon) {
    post(
        () -> {
          if (baton.isMailboxEmpty()) settling.evict(soon);
        });
  }

  /** Begins no activity any more, and leaves memory when those that run have ended. */
  public void stop() {
    internally(
        () -> {
          settling.stop();
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

  /**
   * Calls back when the fate of everything it wrote is known: before that the store does not have
   * the truth about it. For the holder of the baton; the call must not block.
   */
  public void onceDecided(Runnable action) {
    var last = outbox.last();
    if (last == null) action.run();
    else last.onDone((_, _) -> action.run());
  }

  /** About how many bytes it takes while it is parked. For the holder of the baton. */
  public long weight() {
    return stage.weight();
  }

  /** The thread of its code that has been running since before that time, if there is one. */
  public @Nullable Thread runningSince(long nanoTime) {
    return baton.runningSince(nanoTime);
  }

  /** What a sender is told who leaves out the value of a signal. */
  public static RepriseException missing(Signal<?> signal) {
    return Received.missing(signal);
  }

  /** When the thread of its code that runs now began to, by {@link System#nanoTime}; 0 if none. */
  public long turnBegan() {
    return baton.turnBegan();
  }

  /** The attempts of inline activities that run now. */
  public CompletableFuture<List<RunningAttempt>> attempts() {
    var answer = new CompletableFuture<List<RunningAttempt>>();
    baton.post(
        Message.internal(
            () -> answer.complete(stage.cast().attempts()), () -> answer.complete(List.of())));
    return answer;
  }

  // ---- from its own code ------------------------------------------------------------------------

  Stage stage() {
    return stage;
  }

  void await(Fiber fiber, Wait wait) {
    stage.cast().await(fiber, wait, attempts);
  }

  /** Whether what the code asks for now, and not in its history, is anything that can ever run. */
  boolean mayAsk(Predicate<RunPort> can) {
    return stage.isReplaying() || can.test(port);
  }

  /** How long the history of a loop may become. */
  int loopLimit() {
    return settings.loopLimit();
  }

  /** The code has ended. */
  void ended(Command how, String what) {
    if (stage.cast().isDead()) return;
    stage.cast().over();
    stage.passInputs(); // behind them the history may be used up, and children not started yet
    if (!stage.isReplaying()) childStarts.lookAt(stage.state());
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
    stage.passInputs(); // children may have ended while they were being started
    if (stage.isReplaying()) {
      ended(new Command.ContinueAsNew(continuation.recorded(stage)), "goes on with a new run");
      return;
    }
    stage.cast().over();
    ending.continueLater(continuation);
    if (!outbox.isEmpty()) settling.flushActive(); // the new run may begin with it
    outbox.afterAll(
        (_, failure) -> {
          if (failure == null) prepare(continuation);
        });
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

  /** Whether everything in memory is dropped because of that error, this run included. */
  boolean hasFailed(Error error) {
    return port.failed(error);
  }

  /** Why a run is blocked by that, as its row says it. */
  public static String reason(Throwable mistake) {
    return mistake instanceof RepriseException e
        ? Texts.storable(String.valueOf(e.getMessage()))
        : Texts.shown(mistake.toString());
  }

  /** Hands over what asked for children, so that their starts come before what is sent to them. */
  void startChildren() {
    settling.startChildren();
  }

  // ---- for its inputs ---------------------------------------------------------------------------

  boolean hasBegun() {
    return begun;
  }

  /** Whether nothing goes into its history at the moment, or ever again. */
  boolean isLeaving() {
    return ending.isUnderWay() || ending.continuation() != null;
  }

  /** Whether nothing of it moves any more, and nothing ever will. */
  boolean isDead() {
    return stage.cast().isDead();
  }

  /** Whether its end is on its way to the disk. */
  boolean isEnding() {
    return ending.isUnderWay();
  }

  /** Whether its code has ended: only inputs go into the history any more. */
  boolean hasCodeEnded() {
    return ending.hasCodeEnded();
  }

  /** Takes in the next input that the store has accepted. */
  boolean nextInput() {
    return inputs.next();
  }

  /** All its fibers wait, and nothing has arrived. */
  void settle() {
    settling.settle(inputs.line().isFetching());
  }

  /** Hands over what has become too much to keep. */
  void flushIfFull() {
    if (outbox.isFull() && !ending.isUnderWay()) settling.flushActive();
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

  /**
   * Makes sure that the code can read a report of an activity on a queue.
   *
   * @throws RepriseException if not
   */
  void checkReport(Event report) {
    if (coded) context.queued().check(report);
  }

  /**
   * Makes sure that the code that waits for a signal can read it, where that is known.
   *
   * @throws RepriseException if not
   */
  void checkSignal(String name, Payload value) {
    var expected = stage.waits().signals().expected(name);
    if (coded && expected != null) Received.checked(expected, value, settings.values());
  }

  /** Somebody ends the run, whatever its code does. */
  void terminate(Input.TerminateSent input) {
    settling.wake();
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
    settling.wake();
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

  private void gone(End how) {
    timeLimit.forget();
    inputs.gone();
    port.ended(this, how);
  }

  private final class RunHappenings implements Happenings {
    @Override
    public void wake() {
      settling.wake();
    }

    @Override
    public void stepEnded() {
      settling.stepEnded();
    }

    @Override
    public void enter(Input input, @Nullable String site) {
      LiveRun.this.enter(input, site);
    }

    @Override
    public void mistaken(RepriseException mistake) {
      block(mistake);
    }

    @Override
    public void lost(RuntimeException why) {
      ending.lose(why);
    }
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
