package dev.reprise.jdbc;

import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange.Begin;
import dev.reprise.engine.store.Transition.RunChange.Block;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.Compensate;
import dev.reprise.engine.store.Transition.RunChange.Continue;
import dev.reprise.engine.store.Transition.RunChange.None;
import dev.reprise.engine.store.Transition.RunChange.Release;
import dev.reprise.engine.store.Transition.RunChange.Unblock;
import dev.reprise.engine.store.Transition.RunChange.WakeAt;
import dev.reprise.engine.store.Transition.Start;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Commits batches.
 *
 * <p>Row changes are made one by one, in order, because a transition must see those ahead of it.
 * Events are only collected, and inserted together at the end: nothing in a batch reads them, and
 * an index that is there already refuses the batch whenever it comes.
 */
final class SqliteWriter {
  // One long for each run in memory. More than that and runs are looked up again.
  private static final int MAX_KNOWN_RUNS = 100_000;

  private final Jdbc jdbc;
  private final SqliteNodes nodes;
  private final EventInserts events;
  private final SqliteInputs inputs;
  private final SqliteTaskWrites tasks;

  /**
   * Runs that are certainly {@code RUNNING} and somebody's, so that the most frequent transition, a
   * further event and nothing else, needs no look at {@code runs}. Nobody else writes while this
   * node is joined.
   */
  private final Set<Long> running = new HashSet<>();

  private long committed; // the sequence of the node's last batch

  SqliteWriter(Jdbc jdbc, SqliteNodes nodes) {
    this.jdbc = jdbc;
    this.nodes = nodes;
    this.events = new EventInserts(jdbc);
    this.inputs = new SqliteInputs(jdbc);
    this.tasks = new SqliteTaskWrites(jdbc);
  }

  /** A node has joined. Another engine may have written since. */
  void begin() {
    committed = 0;
    running.clear();
  }

  List<Outcome> commit(Batch batch) {
    try {
      var stored =
          jdbc.inTransaction(
              () -> {
                checkOrder(batch);
                nodes.checkFence(batch.node());
                var outcomes = batch.transitions().stream().map(this::take).toList();
                events.flush();
                return outcomes;
              });
      committed = batch.sequence();
      return stored;
    } catch (RuntimeException | Error failure) {
      events.clear();
      running.clear();
      throw failure;
    }
  }

  private void checkOrder(Batch batch) {
    if (batch.sequence() == committed + 1) return;
    throw new Fenced(
        "node %s may not commit batch %d after %d"
            .formatted(batch.node(), batch.sequence(), committed));
  }

  private Outcome take(Transition transition) {
    return switch (transition) {
      case Start start -> start(start);
      case Append append -> append(append);
      case Accept accept -> inputs.accept(accept.input());
    };
  }

  // ---- start ----------------------------------------------------------------------------------

  static final String INSERT_WORKFLOW =
      """
      INSERT INTO workflows (workflow_id, run_key) VALUES (?, ?)
          ON CONFLICT (workflow_id) DO NOTHING
      """;

  static final String TAKE_BACK_WORKFLOW = "DELETE FROM workflows WHERE workflow_id = ?";

  static final String INSERT_RUN =
      """
      INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, compensating, owner, wake_at,
                        started_at, closed_at, blocked_by, crashes, parent, attributes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /** Of a run that is closed, if no other has the id by now. */
  static final String FREE_ID =
      """
      DELETE FROM workflows
       WHERE workflow_id = ?1
         AND run_key = ?2
         AND (SELECT closed_at FROM runs WHERE runs.run_key = ?2) IS NOT NULL
      """;

  private Outcome start(Start start) {
    var run = start.run();
    if (start.replaces() != null) jdbc.update(FREE_ID, run.workflowId(), start.replaces());
    if (jdbc.update(INSERT_WORKFLOW, run.workflowId(), run.key()) == 0) return Outcome.EXISTS;
    if (start.tasks().stream().anyMatch(tasks::isDuplicate)) {
      jdbc.update(TAKE_BACK_WORKFLOW, run.workflowId());
      return Outcome.DUPLICATE;
    }
    boolean waits = run.status() == Status.QUEUED;
    open(run, waits ? List.of() : start.events());
    var kept = waits ? start.events().getFirst() : null;
    tasks.add(run.key(), start.tasks(), run.startedAt(), kept);
    return Outcome.STORED;
  }

  private void open(RunRow run, List<EventRow> first) {
    var status = StoredStatus.of(run.status());
    jdbc.update(
        INSERT_RUN,
        run.key(),
        run.runId(),
        run.workflowId(),
        run.workflow(),
        status.status(),
        status.compensating() ? 1 : 0,
        ownerKey(run),
        run.wakeAt(),
        run.startedAt(),
        run.closedAt(),
        run.blockedBy(),
        run.crashes(),
        run.parent(),
        run.attributes());
    for (var event : first) events.add(run.key(), event);
    if (run.status().isActive() && run.owner() != null) remember(run.key());
  }

  private @Nullable Long ownerKey(RunRow run) {
    if (run.owner() == null) return null;
    if (nodes.isJoined(run.owner())) return nodes.keyOf(run.owner());
    throw new TransitionRefused("run %d of another node".formatted(run.key()), null);
  }

  // ---- append ---------------------------------------------------------------------------------

  static final String DELETE_INPUT = "DELETE FROM inbox WHERE input_id = ? AND run_key = ?";

  static final String SET_ATTRIBUTES = "UPDATE runs SET attributes = ? WHERE run_key = ?";

  private Outcome append(Append append) {
    var outcome = change(append);
    if (outcome != Outcome.STORED) return outcome;
    for (var input : append.consumedInputs()) {
      if (jdbc.update(DELETE_INPUT, input, append.run()) == 0) {
        throw new TransitionRefused(
            "input %d does not wait for run %d".formatted(input, append.run()), null);
      }
    }
    for (var event : append.events()) events.add(append.run(), event);
    if (append.attributes() != null) {
      jdbc.update(SET_ATTRIBUTES, append.attributes(), append.run());
    }
    if (append.change() instanceof Continue(var next, var first, _)) {
      goOn(append.run(), next, first);
    }
    append.deliveries().forEach(inputs::deliver);
    changeTasks(append);
    return Outcome.STORED;
  }

  private void changeTasks(Append append) {
    long run = append.run();
    if (!append.tasks().isEmpty()) {
      tasks.add(run, append.tasks(), append.events().getLast().at(), null);
    }
    tasks.cancel(run, append.cancelled());
    switch (append.change()) {
      case Begin _ -> tasks.begin(run);
      case Close _ -> tasks.leave(run);
      case Continue next -> tasks.handOver(run, next.next().key());
      case None _, WakeAt _, Release _, Block _, Unblock _, Compensate _ -> {}
    }
  }

  static final String SET_WAKE_AT =
      "UPDATE runs SET wake_at = ? WHERE run_key = ? AND status = 'RUNNING' AND owner IS NOT NULL";

  static final String RELEASE =
      """
      UPDATE runs SET owner = NULL, wake_at = ?, crashes = 0
       WHERE run_key = ? AND status = 'RUNNING' AND owner IS NOT NULL
      """;

  static final String BLOCK =
      """
      UPDATE runs SET status = 'BLOCKED', blocked_by = ?, owner = NULL, wake_at = NULL, crashes = 0
       WHERE run_key = ? AND status = 'RUNNING' AND owner IS NOT NULL
      """;

  static final String UNBLOCK =
      """
      UPDATE runs SET status = 'RUNNING', blocked_by = NULL, owner = NULL, wake_at = ?
       WHERE run_key = ? AND status = 'BLOCKED'
      """;

  static final String BEGIN =
      """
      UPDATE runs SET status = 'RUNNING', owner = ?, started_at = ?, wake_at = ?
       WHERE run_key = ? AND status = 'QUEUED'
      """;

  static final String COMPENSATE =
      """
      UPDATE runs SET status = 'RUNNING', compensating = 1, blocked_by = NULL, wake_at = ?
       WHERE run_key = ? AND (status = 'BLOCKED' OR (status = 'RUNNING' AND owner IS NOT NULL))
      """;

  private Outcome change(Append append) {
    return switch (append.change()) {
      case None _ -> openIf(isRunning(append.run()));
      case WakeAt(var at) -> change(append.run(), SET_WAKE_AT, at);
      case Release(var at) -> forget(change(append.run(), RELEASE, at), append.run());
      case Block(var reason) -> forget(change(append.run(), BLOCK, reason), append.run());
      case Begin(var at) -> begin(append.run(), at);
      case Unblock(var at) -> change(append.run(), UNBLOCK, at);
      case Compensate(var at) -> change(append.run(), COMPENSATE, at);
      case Close close -> forget(close(append, close), append.run());
      case Continue next -> forget(change(append.run(), CONTINUE, next.at()), append.run());
    };
  }

  private Outcome begin(long run, Instant at) {
    if (jdbc.update(BEGIN, nodes.writing(), at, at, run) == 0) return Outcome.NOT_OPEN;
    remember(run);
    return Outcome.STORED;
  }

  private Outcome change(long run, String sql, @Nullable Object value) {
    return openIf(jdbc.update(sql, value, run) == 1);
  }

  private static Outcome openIf(boolean open) {
    return open ? Outcome.STORED : Outcome.NOT_OPEN;
  }

  static final String WAITING_INPUTS = "SELECT input_id FROM inbox WHERE run_key = ?";

  static final String CLOSE =
      """
      UPDATE runs SET status = ?, closed_at = ?, blocked_by = NULL, owner = NULL, wake_at = NULL
       WHERE run_key = ?
         AND (status IN ('BLOCKED', 'QUEUED') OR (status = 'RUNNING' AND owner IS NOT NULL))
      """;

  static final String MAY_CLOSE =
      """
      SELECT 1 FROM runs
       WHERE run_key = ?
         AND (status IN ('BLOCKED', 'QUEUED') OR (status = 'RUNNING' AND owner IS NOT NULL))
      """;

  private Outcome close(Append append, Close close) {
    var waiting = jdbc.list(WAITING_INPUTS, columns -> columns.getLong(1), append.run());
    if (!append.consumedInputs().containsAll(waiting)) {
      boolean mayClose = jdbc.first(MAY_CLOSE, columns -> 1, append.run()).isPresent();
      return mayClose ? Outcome.INPUTS_WAITING : Outcome.NOT_OPEN;
    }
    return openIf(jdbc.update(CLOSE, close.status(), close.at(), append.run()) == 1);
  }

  // ---- continue -------------------------------------------------------------------------------

  static final String CONTINUE =
      """
      UPDATE runs
         SET status = 'CONTINUED', closed_at = ?, owner = NULL, wake_at = NULL, crashes = 0
       WHERE run_key = ? AND status = 'RUNNING' AND owner IS NOT NULL
      """;

  static final String POINT_TO_NEXT =
      "UPDATE workflows SET run_key = ? WHERE workflow_id = ? AND run_key = ?";

  /** The new run of a workflow takes over its id and the inputs that wait. */
  private void goOn(long run, RunRow next, List<EventRow> first) {
    if (jdbc.update(POINT_TO_NEXT, next.key(), next.workflowId(), run) == 0) {
      throw new TransitionRefused("run %d is not of '%s'".formatted(run, next.workflowId()), null);
    }
    open(next, first);
    inputs.carryOver(run, next.key());
  }

  // ---- runs known to be running ---------------------------------------------------------------

  static final String IS_RUNNING =
      "SELECT 1 FROM runs WHERE run_key = ? AND status = 'RUNNING' AND owner IS NOT NULL";

  private boolean isRunning(long run) {
    if (running.contains(run)) return true;
    if (jdbc.first(IS_RUNNING, columns -> columns.getInt(1), run).isEmpty()) return false;
    remember(run);
    return true;
  }

  private void remember(long run) {
    if (running.size() >= MAX_KNOWN_RUNS) running.clear();
    running.add(run);
  }

  private Outcome forget(Outcome outcome, long run) {
    running.remove(run);
    return outcome;
  }
}
