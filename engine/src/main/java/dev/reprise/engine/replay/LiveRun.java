package dev.reprise.engine.replay;

import dev.reprise.RepriseException;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.replay.Baton.Message;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.List;
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
 * <p>The public methods may be called by any thread. All fields belong to whoever holds the {@link
 * Baton}.
 */
public final class LiveRun {
  private static final Logger LOG = LoggerFactory.getLogger(LiveRun.class);
  private static final RunChange NO_CHANGE = new RunChange.None();

  private final RunRow row;
  private final RunPort port;
  private final Baton baton = new Baton(new Rounds());
  private final Outbox outbox;
  private final Stage stage;
  private final Stage.Attempts attempts;
  private final Deadlines deadlines;
  private final InputLine inputs = new InputLine();
  private final StoredWake storedWake;
  private final Ending ending;
  private boolean begun;
  private int inFlight; // activities that run now
  private boolean parked;
  private boolean stopping; // begins no activity any more

  public LiveRun(RunRow row, WorkflowDefinition definition, RunSettings settings, RunPort port) {
    this.row = row;
    this.port = port;
    this.outbox = new Outbox(row.key(), port);
    var context = new RunContext(this, row, settings);
    this.stage =
        new Stage(
            settings.machine(),
            row,
            baton,
            input -> context.begin(definition, input),
            outbox::add,
            this::now);
    var happenings = new RunHappenings();
    this.attempts =
        new StepAttempts(settings, port, stage, () -> port.beforeEffect(this), happenings);
    this.deadlines = new Deadlines(stage, baton, port, happenings);
    this.ending = new Ending(stage, outbox, baton, this::fetch, how -> port.ended(this, how));
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
          stage.follow(history);
          inputs.add(waiting);
          ending.repostDeferred();
        });
  }

  /** Inputs wait in the store: they come before signals that are sent from now on. */
  public void fetchInputs() {
    internally(this::fetch);
  }

  private void fetch() {
    inputs.fetchBegins();
    port.fetchInputs(this);
  }

  /** Hands over inputs that wait in the store, once for each time they were asked for. */
  public void offer(List<InputRow> waiting) {
    internally(
        () -> {
          inputs.fetched(waiting);
          if (!inputs.isFetching()) ending.repostDeferred();
        });
  }

  /** Each input is a round of its own, before anything that is still in the mailbox. */
  private boolean nextInput() {
    var input = inputs.next();
    if (input == null) return false;
    outbox.consume(input.id());
    outbox.onDurable((_, _) -> post(() -> inputs.settled(input)));
    enter(meaning(input.kind(), input.name(), input.message(), Payload.of(input.value())), null);
    flushIfFull();
    return true;
  }

  private static Input meaning(
      InputRow.Kind kind, String name, @Nullable String message, Payload value) {
    return switch (kind) {
      case SIGNAL -> new Input.SignalSent(name, value, message);
      case CANCEL -> new Input.CancelSent(name, value.toString());
    };
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
    var sent = new SentInput(meaning(kind, name, message, value), new CompletableFuture<>());
    baton.post(sent);
    return sent.reply;
  }

  private final class SentInput implements Message {
    private final Input input;
    private final CompletableFuture<Reply> reply;

    SentInput(Input input, CompletableFuture<Reply> reply) {
      this.input = input;
      this.reply = reply;
    }

    @Override
    public boolean isInternal() {
      return true;
    }

    @Override
    public void handle() {
      if (!begun) {
        refuse(); // its turn may be far away, and the store can take the input now
      } else if (ending.isUnderWay() || inputs.isFetching()) {
        ending.defer(this);
      } else if (Decider.decide(stage.state(), input, now()).isEmpty()) {
        outbox.afterAll(this::reply); // it is in the history, perhaps not on the disk yet
      } else {
        outbox.onDurable(this::reply);
        enter(input, null);
      }
    }

    private void reply(@Nullable Outcome outcome, @Nullable RuntimeException failure) {
      reply.complete(failure == null ? Reply.ACCEPTED : Reply.GONE);
    }

    @Override
    public void refuse() {
      reply.complete(Reply.GONE);
    }
  }

  /** What its branches wait for, for people. */
  public CompletableFuture<List<String>> waitingFor() {
    var answer = new CompletableFuture<List<String>>();
    baton.post(
        Message.internal(
            () -> answer.complete(stage.describeWaits()), () -> answer.complete(List.of())));
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
    boolean busy = ends || inputs.isFetching() || !outbox.isEmpty() || !isSettled();
    return new Snapshot(inFlight + stage.toLaunch().size(), stage.state().size(), busy);
  }

  /** Whether what it waits for has begun: activities, or else time and inputs. */
  private boolean isSettled() {
    boolean begins =
        !stage.toArm().isEmpty() || !stage.toLaunch().isEmpty() || !stage.toGiveUp().isEmpty();
    return begun && !begins && (parked || inFlight > 0);
  }

  /** Leaves memory if it is parked, to make room; not if it would have to come back by then. */
  public void evict(Instant soon) {
    post(
        () -> {
          if (!parked || !baton.isMailboxEmpty()) return;
          var due = stage.earliestDue();
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
    stage.await(fiber, wait, attempts);
  }

  /** The code has ended. */
  void ended(Command how, String what) {
    ending.close(how, what);
  }

  /** The code and the history disagree, or the code made a mistake. */
  void block(Throwable mistake) {
    if (stage.isDead() || ending.isUnderWay()) return;
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

  // ---- rounds -----------------------------------------------------------------------------------

  /** What an input means: at most one event, recorded and, while there is code, delivered. */
  private void enter(Input input, @Nullable String site) {
    wake();
    var now = now();
    var event = Decider.decide(stage.state(), input, now);
    if (event.isEmpty()) return;
    var recorded = stage.append(event.get(), site, now);
    if (!ending.hasCodeEnded()) stage.deliver(recorded); // a replay would not get that far
  }

  /** The time, but never before that of the last event. */
  private Instant now() {
    var now = port.now();
    var last = stage.state().now();
    return now.isBefore(last) ? last : now;
  }

  private void wake() {
    if (!parked) return;
    parked = false;
    port.woken(this);
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
      return stage.isDead() || !(ending.isUnderWay() || ending.hasCodeEnded());
    }

    @Override
    public boolean nextEvent() {
      if (stage.isDead() || ending.isUnderWay() || !begun) return false;
      try {
        return (!ending.hasCodeEnded() && stage.nextEvent()) || nextInput();
      } catch (RuntimeException | Error mistake) {
        block(mistake);
        return true;
      }
    }

    @Override
    public void accept(Message message) {
      if (stage.isDead()) message.refuse();
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
      if (stage.isDead() || ending.isUnderWay() || !begun) return;
      try {
        settle();
      } catch (RuntimeException | Error mistake) {
        block(mistake);
      }
    }

    private void settle() {
      if (ending.hasCodeEnded()) {
        if (!inputs.isFetching()) ending.closeAgain(now());
        return;
      }
      deadlines.giveUpRetries();
      if (baton.hasReady()) return;
      deadlines.watch();
      boolean waiting = inFlight == 0 && (stopping || stage.toLaunch().isEmpty());
      if (stopping && waiting) {
        ending.release(stage.toLaunch().isEmpty() ? stage.earliestDue() : port.now());
        return;
      }
      flush(waiting);
      launch();
      if (waiting) park();
    }
  }

  private void flushIfFull() {
    if (outbox.isFull() && !ending.isUnderWay()) outbox.flush(NO_CHANGE);
  }

  private void flush(boolean waiting) {
    var change =
        waiting ? storedWake.parkedUntil(stage.earliestDue()) : storedWake.activeSince(port.now());
    if (outbox.isEmpty() && change instanceof RunChange.None) return;
    outbox.flush(change, !stopping && !stage.toLaunch().isEmpty());
  }

  private void park() {
    if (parked) return;
    parked = true;
    port.parked(this);
  }

  private void launch() {
    if (stopping || stage.toLaunch().isEmpty()) return;
    for (var wait : stage.toLaunch()) {
      inFlight++;
      wait.barrier = outbox.last();
      wait.fiber.launch();
    }
    stage.toLaunch().clear();
  }

  // ---- messages ---------------------------------------------------------------------------------

  private void post(Runnable handling) {
    baton.post(Message.of(handling, () -> {}));
  }

  /** A message that is handled at any time. */
  private void internally(Runnable handling) {
    baton.post(Message.internal(handling, () -> {}));
  }
}
