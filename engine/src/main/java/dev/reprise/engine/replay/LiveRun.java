package dev.reprise.engine.replay;

import dev.reprise.RepriseException;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.replay.Baton.Message;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
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
  private final RunSettings settings;
  private final RunPort port;
  private final Baton baton = new Baton(new Rounds());
  private final Outbox outbox;
  private final Stage stage;
  private final Set<Long> knownInputs = new HashSet<>(0); // of the store, on their way in
  private final Queue<InputRow> arriving = new ArrayDeque<>(1); // of these, not yet taken in
  private final List<Message> deferred = new ArrayList<>(0); // until the end is durable or refused
  private boolean begun;
  private int inFlight; // activities that run now
  private boolean parked;
  private boolean stopping; // begins no activity any more
  private boolean ending; // its last transition is on its way to the disk
  private int fetches; // of inputs that are on their way in
  private @Nullable Command end; // how the code ended
  private RunState beforeEnd = RunState.empty();
  private boolean storedActive; // what the row says: due since it began, or
  private @Nullable Instant storedWake; // due then

  public LiveRun(RunRow row, WorkflowDefinition definition, RunSettings settings, RunPort port) {
    this.row = row;
    this.settings = settings;
    this.port = port;
    this.outbox = new Outbox(row.key(), port);
    var context = new RunContext(this, row, settings);
    this.stage =
        new Stage(row, baton, input -> context.begin(definition, input), outbox::add, this::now);
    this.storedWake = row.wakeAt();
    this.storedActive = storedWake != null && !storedWake.isAfter(port.now());
  }

  // ---- from outside -----------------------------------------------------------------------------

  public RunRow row() {
    return row;
  }

  /** Runs the code: first along this history, then live. Called once. */
  public void begin(List<EventRow> history, List<InputRow> inputs) {
    internally(
        () -> {
          begun = true;
          stage.follow(history);
          inputs.forEach(this::take);
          repostDeferred();
        });
  }

  /** Inputs wait in the store: they come before signals that are sent from now on. */
  public void fetchInputs() {
    internally(this::fetch);
  }

  private void fetch() {
    fetches++;
    port.fetchInputs(this);
  }

  /** Hands over inputs that wait in the store, once for each time they were asked for. */
  public void offer(List<InputRow> inputs) {
    internally(
        () -> {
          fetches--;
          inputs.forEach(this::take);
          if (fetches == 0) repostDeferred();
        });
  }

  private void take(InputRow input) {
    if (knownInputs.add(input.id())) arriving.add(input);
  }

  /** Each input is a round of its own, before anything that is still in the mailbox. */
  private boolean nextInput() {
    var input = arriving.poll();
    if (input == null) return false;
    outbox.consume(input.id());
    outbox.onDurable((_, _) -> post(() -> forget(input)));
    enter(new Input.SignalSent(input.signal(), Payload.of(input.value())), null);
    flushIfFull();
    return true;
  }

  /** A fetch on its way may have read it before it was taken out of the store. */
  private void forget(InputRow input) {
    if (fetches == 0) knownInputs.remove(input.id());
  }

  /** What became of a signal. */
  public enum Reply {
    /** It is in the history, durably. */
    ACCEPTED,
    /** The run has closed. */
    CLOSED,
    /** The run has left memory: ask the store. */
    GONE
  }

  /** Takes a signal in. The answer comes when it is durable. */
  public CompletableFuture<Reply> signal(String name, Payload value) {
    var sent = new SentSignal(new Input.SignalSent(name, value), new CompletableFuture<>());
    baton.post(sent);
    return sent.reply;
  }

  private final class SentSignal implements Message {
    private final Input.SignalSent signal;
    private final CompletableFuture<Reply> reply;

    SentSignal(Input.SignalSent signal, CompletableFuture<Reply> reply) {
      this.signal = signal;
      this.reply = reply;
    }

    @Override
    public boolean isInternal() {
      return true;
    }

    @Override
    public void handle() {
      if (!begun) {
        refuse(); // its turn may be far away, and the store can take the signal now
      } else if (ending || fetches > 0) {
        deferred.add(this);
      } else {
        outbox.onDurable(
            (_, failure) -> reply.complete(failure == null ? Reply.ACCEPTED : Reply.GONE));
        enter(signal, null);
      }
    }

    @Override
    public void refuse() {
      reply.complete(stage.state().isClosed() ? Reply.CLOSED : Reply.GONE);
    }
  }

  /** What its branches wait for, for people. */
  public CompletableFuture<List<String>> waitingFor() {
    var answer = new CompletableFuture<List<String>>();
    internally(() -> answer.complete(stage.describeWaits()), () -> answer.complete(List.of()));
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
    internally(() -> answer.complete(look()), () -> answer.complete(look()));
    return answer;
  }

  private Snapshot look() {
    boolean busy = !begun || ending || !stage.toArm().isEmpty() || !outbox.isEmpty();
    return new Snapshot(inFlight + stage.toLaunch().size(), stage.state().size(), busy);
  }

  /** Leaves memory if it is parked, to make room; not if it would have to come back by then. */
  public void evict(Instant soon) {
    post(
        () -> {
          if (!parked || !baton.isMailboxEmpty()) return;
          var due = stage.earliestDue();
          if (due == null || due.isAfter(soon)) release(due);
        });
  }

  /** Begins no activity any more, and leaves memory when those that run have ended. */
  public void stop() {
    internally(
        () -> {
          stopping = true;
          if (!begun) release(port.now());
        });
  }

  /** Leaves memory now, whatever runs. */
  public void abandon() {
    internally(() -> release(port.now()));
  }

  /** Leaves memory now and writes nothing: this node may not write any more. */
  public void lose(RuntimeException why) {
    internally(() -> die(new End.Lost(why)));
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
    stage.await(fiber, wait, this::attempt);
  }

  /** Runs a step's function, without the baton, once everything before it is durable. */
  private Message attempt(Wait wait) {
    var step = Objects.requireNonNull(wait.step);
    try {
      if (wait.barrier != null) wait.barrier.await();
    } catch (RuntimeException notDurable) {
      return back(wait, () -> die(new End.Lost(notDurable)));
    }
    if (stage.isDead()) return back(wait, () -> {});
    var attempt = Attempt.make(step, settings.values(), port);
    return back(wait, () -> attempted(wait, step, attempt));
  }

  /** The message of a fiber that comes back inside. */
  private Message back(Wait wait, Runnable handling) {
    return new Message() {
      @Override
      public void handle() {
        wait.fiber.backInside();
        inFlight--;
        handling.run();
        if (stage.isDead()) stage.unwind(wait.fiber);
      }

      @Override
      public void refuse() {
        wait.fiber.backInside();
        stage.unwind(wait.fiber);
      }
    };
  }

  private void attempted(Wait wait, Step step, Attempt attempt) {
    switch (attempt) {
      case Attempt.Returned(var payload, var value) -> {
        wait.value = value;
        enter(new Input.StepReturned(step.call(), payload), wait.site);
      }
      case Attempt.Threw(var failure, var terminal) -> {
        boolean last = terminal || wait.fiber.isCancelled();
        double luck = ThreadLocalRandom.current().nextDouble();
        var retrying = new Input.Retrying(step.retry(), step.askedAt(), last, luck);
        enter(new Input.StepThrew(step.call(), failure, retrying), wait.site);
      }
    }
  }

  /** The code has ended. */
  void ended(Command how, String what) {
    if (stage.isDead()) return; // it swallowed the sentinel; what it returns is thrown away
    beforeEnd = stage.state();
    stage.record(how, what, null);
    end = how;
    close();
  }

  /** The code and the history disagree, or the code made a mistake. */
  void block(Throwable mistake) {
    if (stage.isDead() || ending) return;
    var reason = mistake instanceof RepriseException e ? e.getMessage() : mistake.toString();
    var text = String.valueOf(reason);
    LOG.atWarn()
        .addKeyValue("workflow.id", row.workflowId())
        .setCause(mistake instanceof RepriseException ? null : mistake)
        .log("run blocked: {}", text);
    leave(new RunChange.Block(text), new End.Blocked(text));
  }

  // ---- rounds -----------------------------------------------------------------------------------

  /** What an input means: at most one event, recorded and delivered. */
  private void enter(Input input, @Nullable String site) {
    wake();
    var now = now();
    Decider.decide(stage.state(), input, now)
        .ifPresent(event -> stage.deliver(stage.append(event, site, now)));
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

  private final class Rounds implements Baton.Rounds {
    @Override
    public boolean mayRun() {
      return stage.isDead() || (!ending && end == null);
    }

    @Override
    public boolean nextEvent() {
      if (stage.isDead() || ending || !begun) return false;
      try {
        return (end == null && stage.nextEvent()) || nextInput();
      } catch (RuntimeException | Error mistake) {
        block(mistake);
        return true;
      }
    }

    @Override
    public void accept(Message message) {
      if (stage.isDead()) message.refuse();
      else if (!isOpen() && !message.isInternal()) deferred.add(message);
      else handle(message);
      flushIfFull();
    }

    /** Between its begin and its end; after that, only inputs go into the history. */
    private boolean isOpen() {
      return begun && !ending && end == null;
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
      if (stage.isDead() || ending || !begun) return;
      try {
        settle();
      } catch (RuntimeException | Error mistake) {
        block(mistake);
      }
    }

    private void settle() {
      if (end != null) {
        if (fetches == 0) endAgain();
        return;
      }
      giveUpRetries();
      if (baton.hasReady()) return;
      arm();
      boolean waiting = inFlight == 0 && (stopping || stage.toLaunch().isEmpty());
      if (stopping && waiting) {
        release(stage.toLaunch().isEmpty() ? stage.earliestDue() : port.now());
        return;
      }
      flush(waiting);
      launch();
      if (waiting) park();
    }
  }

  private void flushIfFull() {
    if (outbox.isFull() && !ending) outbox.flush(NO_CHANGE);
  }

  private void flush(boolean waiting) {
    var change = waiting ? wakeAt(stage.earliestDue()) : active();
    if (outbox.isEmpty() && change instanceof RunChange.None) return;
    outbox.flush(change, !stage.toLaunch().isEmpty());
  }

  private RunChange wakeAt(@Nullable Instant due) {
    if (!storedActive && Objects.equals(storedWake, due)) return NO_CHANGE;
    storedActive = false;
    storedWake = due;
    return new RunChange.WakeAt(due);
  }

  private RunChange active() {
    if (storedActive) return NO_CHANGE;
    storedActive = true;
    storedWake = port.now();
    return new RunChange.WakeAt(storedWake);
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

  /** Branches that were given up do not try again. An attempt that runs is left to end. */
  private void giveUpRetries() {
    var waits = List.copyOf(stage.toGiveUp());
    stage.toGiveUp().clear();
    for (var wait : waits) {
      if (wait.done || wait.due == null) continue;
      var call = Objects.requireNonNull(wait.step).call();
      enter(new Input.StepGivenUp(call, Objects.requireNonNull(wait.failure)), wait.site);
    }
  }

  /** Watches the time of new waits. */
  private void arm() {
    var waits = List.copyOf(stage.toArm());
    stage.toArm().clear();
    for (var wait : waits) {
      if (wait.done || wait.due == null) continue;
      wait.timer = port.at(wait.due, () -> post(() -> due(wait)));
    }
  }

  private void due(Wait wait) {
    if (wait.done || wait.due == null) return;
    var id = Objects.requireNonNull(wait.id);
    switch (wait.kind) {
      case STEP -> {
        wake();
        wait.due = null;
        stage.toLaunch().add(wait);
      }
      case SLEEP -> enter(new Input.TimerDue(id), null);
      case SIGNAL, CONDITION, PROMISE ->
          enter(new Input.WaitDue(id, Objects.requireNonNull(wait.due)), wait.site);
    }
  }

  // ---- the end ----------------------------------------------------------------------------------

  private void close() {
    ending = true;
    var state = stage.state();
    var terminal =
        new Recorded(
            state.size(),
            state.now(),
            null,
            Decider.decide(Objects.requireNonNull(end), state.now()));
    outbox
        .flush(new RunChange.Close(state.status(), state.now()))
        .onDone((outcome, failure) -> internally(() -> closed(terminal, outcome, failure)));
  }

  private void closed(
      Recorded terminal, @Nullable Outcome outcome, @Nullable RuntimeException failure) {
    if (failure != null) {
      die(new End.Lost(failure));
    } else if (outcome == Outcome.INPUTS_WAITING) {
      reopen();
    } else {
      die(new End.Closed(terminal));
    }
  }

  /** Inputs were accepted meanwhile: they go into the history before the end. */
  private void reopen() {
    ending = false;
    outbox.reopen();
    stage.rewind(beforeEnd);
    fetch();
    repostDeferred();
  }

  private void repostDeferred() {
    deferred.forEach(baton::post);
    deferred.clear();
  }

  private void endAgain() {
    var how = Objects.requireNonNull(end);
    beforeEnd = stage.state();
    var now = now();
    stage.append(Decider.decide(how, now), null, now);
    close();
  }

  private void release(@Nullable Instant due) {
    if (ending) return;
    leave(new RunChange.Release(due), new End.Released());
  }

  /** Writes what is left with one last change of the row, then leaves memory. */
  private void leave(RunChange change, End as) {
    ending = true;
    outbox
        .flush(change)
        .onDone(
            (_, failure) -> internally(() -> die(failure == null ? as : new End.Lost(failure))));
  }

  private void die(End as) {
    if (stage.isDead()) return;
    stage.die();
    if (as instanceof End.Lost(var why)) outbox.lose(why);
    deferred.forEach(Message::refuse);
    deferred.clear();
    port.ended(this, as);
  }

  // ---- messages ---------------------------------------------------------------------------------

  private void post(Runnable handling) {
    post(handling, () -> {});
  }

  private void post(Runnable handling, Runnable refusing) {
    baton.post(new Note(handling, refusing, false));
  }

  private void internally(Runnable handling) {
    internally(handling, () -> {});
  }

  /** A message that is handled at any time. */
  private void internally(Runnable handling, Runnable refusing) {
    baton.post(new Note(handling, refusing, true));
  }

  private record Note(Runnable handling, Runnable refusing, boolean isInternal) implements Message {
    @Override
    public void handle() {
      handling.run();
    }

    @Override
    public void refuse() {
      refusing.run();
    }
  }
}
