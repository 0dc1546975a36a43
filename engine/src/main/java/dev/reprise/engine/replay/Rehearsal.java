package dev.reprise.engine.replay;

import dev.reprise.ErrorCode;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs workflow code along a recorded history, open or closed, to see whether it follows.
 *
 * <p>It is the code of a real run, a {@link LiveRun}, on a port behind which there is nothing: what
 * it writes goes nowhere, time stands still at the last event, and where it would begin an activity
 * that the history does not have, or wait, the rehearsal is over. A closed run must end as it did;
 * an open one may do anything after its last event, since that is what it would do next.
 */
public final class Rehearsal {
  private final LiveRun run;
  private final List<EventRow> history;
  private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

  /**
   * @param history all of it, from the first event on
   */
  public Rehearsal(
      RunRow row, List<EventRow> history, WorkflowDefinition definition, RunSettings settings) {
    this.history = List.copyOf(history);
    this.run = new LiveRun(row, definition, settings, new Nowhere(history.getLast().at()));
  }

  /** Begins, on threads of its own. Called once. */
  public CompletableFuture<Verdict> begin() {
    run.begin(history, List.of());
    return verdict;
  }

  /** Plays it to its end, which takes no time unless the code hangs: then so long. */
  public Verdict play(Duration patience) throws InterruptedException {
    try {
      return begin().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException slow) {
      return hangs(patience);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible.getCause());
    }
  }

  private Verdict hangs(Duration patience) {
    var thread = run.runningSince(System.nanoTime());
    var where = new Throwable("the code is here");
    if (thread != null) {
      where.setStackTrace(thread.getStackTrace());
      thread.interrupt(); // it may wait for what never comes
    }
    return new Verdict.Hangs(
        "%s workflow code of '%s' has run for %s without a call of its context (see %s)"
            .formatted(ErrorCode.R110, run.row().workflowId(), patience, ErrorCode.R110.docs()),
        where);
  }

  /** Thrown where the code would begin something that the history does not have. */
  private static final class Curtain extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Curtain() {
      super("the rehearsal is over", null, false, false);
    }
  }

  /** The rest of the engine, of which there is none. */
  private final class Nowhere implements RunPort {
    private static final Timer NEVER = () -> {};

    private final Instant now;
    private volatile @Nullable List<String> waits; // at the end of the history
    private volatile @Nullable Throwable mistake;

    Nowhere(Instant now) {
      this.now = now;
    }

    @Override
    public Instant now() {
      return now;
    }

    @Override
    public Ticket append(Transition transition) {
      return Ticket.done(transition, Outcome.STORED);
    }

    @Override
    public Ticket appendAwaited(Transition transition) {
      return append(transition);
    }

    @Override
    public Timer at(Instant due, Runnable action) {
      return NEVER;
    }

    @Override
    public void beforeEffect(LiveRun run) {
      remember(run.waitingFor().join());
      throw new Curtain();
    }

    @Override
    public void parked(LiveRun run) {
      remember(run.stage().describeWaits());
      run.lose(new Curtain());
    }

    /** The first answer counts: those that come later are of a run that is being taken down. */
    private synchronized void remember(List<String> now) {
      if (waits == null) waits = now;
    }

    @Override
    public void woken(LiveRun run) {}

    @Override
    public void fetchInputs(LiveRun run) {}

    @Override
    public void blocking(LiveRun run, Throwable mistake) {
      this.mistake = mistake;
    }

    @Override
    public void ended(LiveRun run, End end) {
      verdict.complete(
          switch (end) {
            case End.Closed _ -> new Verdict.Follows(List.of());
            case End.Blocked(var reason) ->
                new Verdict.Departs(
                    run.stage().followed(), reason, Objects.requireNonNull(mistake));
            case End.Lost _, End.Released _ ->
                new Verdict.Follows(Objects.requireNonNull(waits, "nobody ended it"));
          });
    }
  }
}
