package dev.reprise.engine.replay;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.Waiting;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Event.CompensationsStarted;
import dev.reprise.engine.event.Event.LoopSnapshot;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
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
  private final Nowhere nowhere;
  private final Machine machine;
  private Optional<Question> asked = Optional.empty();

  /**
   * @param history all of it, from the first event on
   */
  public Rehearsal(
      RunRow row, List<EventRow> history, WorkflowDefinition definition, RunSettings settings) {
    this.history = played(history);
    this.machine = settings.machine();
    this.nowhere = new Nowhere(history.getLast().at());
    this.run = new LiveRun(row, definition, settings, nowhere);
  }

  /** The events that the workflow's code has to follow: not those that came without it. */
  public static List<EventRow> played(List<EventRow> history) {
    for (var row : history) {
      int type = row.type();
      if (type == EventType.WORKFLOW_TERMINATED.code()) return seen(history, row.index() - 1);
      if (type != EventType.COMPENSATIONS_STARTED.code()) continue;
      boolean byCode =
          row.recorded().event() instanceof CompensationsStarted how
              && how.status() != Status.TERMINATED;
      return byCode ? List.copyOf(history.subList(0, row.index())) : seen(history, row.index() - 1);
    }
    return List.copyOf(history);
  }

  /**
   * The same of a run of a store. Who ends a run without its code takes in what waits before it,
   * and the code never sees it: so this also looks whether somebody is about to end it.
   */
  public static List<EventRow> played(Store store, RunRow row) {
    var history = HistoryView.rows(store, row.key());
    if (row.status().isClosed() || history.isEmpty()) return history;
    var waiting = store.inputs(row.key()); // after the history: the request goes with the end
    boolean ended =
        store.runs(List.of(row.key())).stream().anyMatch(now -> now.status().isClosed());
    return ended ? HistoryView.rows(store, row.key()) : played(history, waiting);
  }

  /** The same of an open run that has these inputs. */
  public static List<EventRow> played(List<EventRow> history, List<InputRow> waiting) {
    var played = played(history);
    return RunInputs.endsAtOnce(waiting) ? seen(played, played.size()) : played;
  }

  /**
   * So many events without the inputs that came last: the code may not have seen them. Nor those
   * from before the run was held and resumed on its way to the end.
   */
  private static List<EventRow> seen(List<EventRow> history, int end) {
    int last = end;
    int given = given(history.subList(0, last));
    var queued = new HashSet<String>();
    for (var event : history) {
      if (event.type() != EventType.ACTIVITY_SCHEDULED.code()) continue;
      queued.add(event.recorded().event().subject());
    }
    while (last > given && isUnseen(history.get(last - 1), queued)) last--;
    return List.copyOf(history.subList(0, last));
  }

  private static boolean isUnseen(EventRow row, Set<String> queued) {
    return row.type() == EventType.WORKFLOW_RESUMED.code()
        || row.type() == EventType.WORKFLOW_TAKEN_UP.code()
        || row.recorded().event().isInput(queued::contains);
  }

  /** The last event that the run has from an earlier one: the code begins, or goes on, with it. */
  private static int given(List<EventRow> history) {
    int given = 1;
    for (var row : history) {
      given =
          switch (row.recorded().event()) {
            case WorkflowStarted started ->
                1 + Lineages.unreceived(started.origin(), history.size());
            case LoopSnapshot snapshot -> row.index() + snapshot.carried();
            default -> given;
          };
    }
    return given;
  }

  /** Begins, on threads of its own. Called once. */
  public CompletableFuture<Verdict> begin() {
    run.rehearse(history);
    return verdict;
  }

  /** What the branches of an open run wait for at the end of its history, once it has played. */
  public List<Waiting> waits() {
    var waits = nowhere.waits;
    return waits == null ? List.of() : waits;
  }

  /** Plays it to the end and asks a question there; nothing of it is kept. */
  public Payload query(String name, Payload argument, Duration patience)
      throws InterruptedException {
    var question = new Question(name, argument, new CompletableFuture<>());
    asked = Optional.of(question);
    var outcome = play(patience);
    if (outcome instanceof Verdict.Departs departs) {
      throw departs.mistake() instanceof RuntimeException e
          ? e
          : new IllegalStateException(departs.mistake());
    }
    if (outcome instanceof Verdict.Hangs(var reason, var where)) {
      throw new RepriseException(
          ErrorCode.R123, "the query '%s' was not answered: %s".formatted(name, reason), where);
    }
    return question.answered();
  }

  /** What is asked when the code has caught up. */
  private record Question(
      String name, Payload argument, CompletableFuture<Optional<Payload>> answer) {

    /** By the holder of the baton. */
    void ask(LiveRun run) {
      if (!answer.isDone()) run.answer(answer, name, argument);
    }

    /** By a fiber that runs outside: the holder of the baton answers. */
    void askLater(LiveRun run) {
      if (answer.isDone()) return;
      run.query(name, argument)
          .whenComplete(
              (given, refused) -> {
                if (refused != null) answer.completeExceptionally(refused);
                else answer.complete(given);
              })
          .exceptionally(_ -> Optional.empty())
          .join();
    }

    Payload answered() {
      try {
        return answer
            .getNow(Optional.empty())
            .orElseThrow(() -> new IllegalStateException("the run left memory unasked"));
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      }
    }
  }

  /** Plays it to its end, which takes no time unless the code hangs: then so long. */
  public Verdict play(Duration patience) throws InterruptedException {
    try {
      return machine.await(begin(), patience);
    } catch (TimeoutException slow) {
      return hangs(patience);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible.getCause());
    }
  }

  private Verdict hangs(Duration patience) {
    var thread = run.runningSince(System.nanoTime());
    var where = new Throwable("this is where the code is");
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
    private volatile @Nullable List<Waiting> waits; // at the end of the history
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
      return Ticket.done(Outcome.STORED);
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
      asked.ifPresent(question -> question.askLater(run));
      throw new Curtain();
    }

    @Override
    public void parked(LiveRun run) {
      remember(run.stage().cast().waiting());
      asked.ifPresent(question -> question.ask(run));
      run.lose(new Curtain());
    }

    /** The first answer counts: those that come later are of a run that is being taken down. */
    private synchronized void remember(List<Waiting> now) {
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
    public CompletableFuture<Boolean> startChild(
        LiveRun run, ChildStarted child, @Nullable Ticket asked) {
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletableFuture<Next> next(LiveRun run, int events) {
      remember(run.stage().cast().waiting());
      asked.ifPresent(question -> question.ask(run));
      run.lose(new Curtain());
      return new CompletableFuture<>();
    }

    @Override
    public void ended(LiveRun run, End end) {
      boolean codeEnded =
          end instanceof End.Closed || end instanceof End.Undoing || end instanceof End.Continued;
      if (codeEnded) asked.ifPresent(question -> question.ask(run));
      verdict.complete(
          switch (end) {
            case End.Closed _ -> new Verdict.Follows(List.of());
            case End.Blocked(var reason) ->
                new Verdict.Departs(
                    run.stage().followed(), reason, Objects.requireNonNull(mistake));
            case End.Continued _ -> new Verdict.Follows(List.of());
            case End.Lost _, End.Released _, End.Undoing _ ->
                new Verdict.Follows(
                    Objects.requireNonNullElse(waits, List.<Waiting>of()).stream()
                        .map(Waiting::toString)
                        .toList());
          });
    }
  }
}
