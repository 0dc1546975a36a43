package dev.reprise.jdbc;

import dev.reprise.Status;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
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
import dev.reprise.jdbc.BatchPlan.Segment;
import dev.reprise.jdbc.Member.Receipt;
import dev.reprise.jdbc.Member.Receipt.OfEvent;
import dev.reprise.jdbc.Member.Receipt.OfNode;
import dev.reprise.jdbc.Member.Try;
import dev.reprise.jdbc.Member.Unknown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Commits batches, nearly always in one round trip: the statements of a batch go to the database
 * together and are one transaction there.
 */
final class PostgresWriter {
  private final DatabaseClock clock;
  private final PostgresReceipts receipts;
  private final Continuity continuity;

  PostgresWriter(DatabaseClock clock, PostgresReceipts receipts, Continuity continuity) {
    this.clock = clock;
    this.receipts = receipts;
    this.continuity = continuity;
  }

  List<Outcome> commit(Session session, Member member, Batch batch) {
    for (var transition : batch.transitions()) check(transition, member);
    var before = unknownOf(member, batch);
    boolean hasPen = Pen.isHeld(session, member);
    if (!hasPen) {
      var loss = continuity.loss(session, member);
      if (loss.isPresent()) return lastOf(session, member, batch, loss.get());
      hasPen = Pen.take(session, member);
    }
    if (before != null) {
      var known = receipts.outcomes(session, member, before);
      if (known.isPresent()) return resolved(member, batch, known.get());
    }
    try {
      return stored(member, batch, new Attempt(session, member, batch, before, hasPen).commit());
    } catch (Fenced | TransitionRefused refused) {
      // The lost batch may have come through after all, between the look and this attempt.
      if (before == null) throw refused;
      var known = receipts.outcomes(session, member, before);
      return resolved(member, batch, known.orElseThrow(() -> refused));
    }
  }

  /** What was sent before may have come through, and then counts; nothing else does. */
  private List<Outcome> lastOf(Session session, Member member, Batch batch, Fenced loss) {
    var before = member.unknown;
    if (before == null) throw loss;
    try {
      var known = receipts.outcomes(session, member, before);
      return resolved(member, batch, known.orElseThrow(() -> loss));
    } catch (Fenced fenced) {
      throw loss; // which says why
    }
  }

  private static void check(Transition transition, Member member) {
    switch (transition) {
      case Start start when start.run().status() == Status.QUEUED -> checkQueued(start);
      case Start start -> check(start.run(), member);
      case Append append when append.change() instanceof Continue(var next, _, _) ->
          check(next, member);
      case Append _, Accept _ -> {}
    }
  }

  private static void check(RunRow run, Member member) {
    if (run.owner() != null && !run.owner().equals(member.node)) {
      throw new TransitionRefused("run %d of another node".formatted(run.key()), null);
    }
    if (run.status() != Status.RUNNING) {
      throw new TransitionRefused("run %d starts %s".formatted(run.key(), run.status()), null);
    }
  }

  private static void checkQueued(Start start) {
    boolean waits = start.tasks().stream().anyMatch(task -> task.index() == 0);
    if (waits && start.run().owner() == null && start.events().size() == 1) return;
    throw new TransitionRefused("run %d waits for nothing".formatted(start.run().key()), null);
  }

  private static @Nullable Unknown unknownOf(Member member, Batch batch) {
    if (batch.sequence() != member.batches + 1) {
      throw new Fenced(
          "batch %d of node %s, which has committed %d"
              .formatted(batch.sequence(), batch.node(), member.batches));
    }
    var unknown = member.unknown;
    if (unknown == null) return null;
    if (unknown.transitions().equals(batch.transitions())) return unknown;
    throw new Fenced(
        "batch %d of node %s may be committed already, with other transitions"
            .formatted(batch.sequence(), batch.node()));
  }

  /** What was known of its runs is forgotten, and looked up when they are written to next. */
  private static List<Outcome> resolved(Member member, Batch batch, List<Outcome> outcomes) {
    member.unknown = null;
    member.batches = batch.sequence();
    return outcomes;
  }

  private List<Outcome> stored(Member member, Batch batch, List<Outcome> outcomes) {
    member.unknown = null;
    member.batches = batch.sequence();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) == Outcome.STORED) remember(member, batch.transitions().get(i));
    }
    return outcomes;
  }

  private static void remember(Member member, Transition transition) {
    switch (transition) {
      case Start(var run, _, _, _) when run.owner() != null -> member.own(run.key());
      case Start _, Accept _ -> {}
      case Append append -> {
        switch (append.change()) {
          case None _, WakeAt _ -> {} // of a run that is known to be owned
          case Begin _ -> member.own(append.run(), true);
          case Compensate _ -> {} // of a held run it makes nobody the owner
          case Release _, Block _, Unblock _, Close _ -> member.forget(append.run());
          case Continue(var next, _, _) -> {
            boolean isPlaced = member.isPlaced(append.run());
            member.forget(append.run());
            if (next.owner() != null) member.own(next.key(), isPlaced);
          }
        }
      }
    }
  }

  /** One time that a batch is tried. */
  private final class Attempt {
    private final Session session;
    private final Member member;
    private final Batch batch;
    private final boolean isBrief; // leaves the row of the node as it is
    private final List<Try> tries = new ArrayList<>();
    private final Outcome[] outcomes;
    private @Nullable Receipt receipt; // of what was sent
    private @Nullable SegmentCommit open; // whose outcomes are not known before its answers

    private Attempt(
        Session session, Member member, Batch batch, @Nullable Unknown before, boolean hasPen) {
      this.session = session;
      this.member = member;
      this.batch = batch;
      this.isBrief = hasPen && !batch.renews() && before == null;
      this.outcomes = new Outcome[batch.transitions().size()];
      if (before != null) tries.addAll(before.tries());
    }

    private List<Outcome> commit() {
      try {
        if (!recordLone()) {
          var plan = BatchPlan.of(batch.transitions(), workflowIds());
          if (!commitAtOnce(plan)) session.inTransaction(() -> commitInSteps(plan));
        }
        if (receipt instanceof OfNode) member.sequence++;
        member.last = receipt;
        return List.of(outcomes);
      } catch (RuntimeException | Error failure) {
        member.forgetAll();
        if (session.isBroken() && receipt != null) {
          tries.add(new Try(receipt, outcomes, open));
          member.unknown = new Unknown(batch.transitions(), tries);
          if (isUnexpected(failure)) {
            throw new StoreUnavailable("the answer to a batch could not be read", failure);
          }
        }
        throw failure;
      }
    }

    /** An exception that is no word of the database: what it has made of the batch is not known. */
    private static boolean isUnexpected(Throwable failure) {
      return switch (failure) {
        case StoreUnavailable _, Fenced _, TransitionRefused _ -> false;
        case RuntimeException _ -> true;
        default -> false;
      };
    }

    /**
     * The next event of a lone workflow: there is nothing to plan, and the thread is still cold.
     */
    private boolean recordLone() {
      if (batch.transitions().size() != 1) return false;
      if (!(batch.transitions().getFirst() instanceof Append append)) return false;
      if (!SegmentCommit.isOnlyEvents(append) || !member.owns(append.run())) return false;
      var events = new EventArrays();
      events.addAll(append.run(), append.events());
      outcomes[0] = Outcome.STORED;
      recordEvents(events);
      return true;
    }

    /** False, and nothing done, if some transitions depend on others or on runs of nobody. */
    private boolean commitAtOnce(BatchPlan plan) {
      if (!plan.isWhole()) return false;
      var segment = plan.segments().getFirst();
      var holds = holds(segment);
      if (needsLocks(segment, holds)) return false;

      var commit = openCommit(segment, holds);
      var events = commit.onlyEvents();
      if (events != null) {
        recordEvents(events);
      } else if (!member.hope.begins()) {
        storeAll(commit);
      } else if (!storeHopefully(commit)) {
        commit = openCommit(segment, holds);
        storeAll(commit);
      }
      commit.conclude();
      return true;
    }

    private SegmentCommit openCommit(Segment segment, Map<Long, Hold> holds) {
      var commit = new SegmentCommit(segment, holds, outcomes);
      open = commit;
      return commit;
    }

    /**
     * Expects what nearly always is so: that workflows are new, and that runs can end. False, and
     * nothing done, if it is not.
     */
    private boolean storeHopefully(SegmentCommit commit) {
      var pipeline = new Pipeline();
      boolean tells = isBrief && commit.recordsAtOnce();
      if (!tells) fence(pipeline);
      commit.addTo(pipeline, member.key, true);
      if (tells) receipt = receiptOf(commit.events());
      try {
        session.pipeline(pipeline);
        member.hope.ended(true);
        return true;
      } catch (TransitionRefused _) {
        member.hope.ended(false); // and all of it is rolled back
        return false;
      }
    }

    /** Others may want to go on with a run that nobody owns, or to end it. */
    private static boolean needsLocks(Segment segment, Map<Long, Hold> holds) {
      for (var append : segment.appends()) {
        var hold = holds.get(append.transition().run());
        if (hold == Hold.HELD) return true;
        if (hold == Hold.WAITING && !SegmentCommit.isPlainBegin(append.transition())) return true;
      }
      return false;
    }

    /** Nobody changes them, so they may be read ahead. */
    private Map<Long, String> workflowIds() {
      var ids = new HashMap<Long, String>();
      var runs = BatchPlan.endsThatMatter(batch.transitions());
      if (runs.isEmpty()) return ids;
      session.list(
          WORKFLOW_IDS,
          columns -> ids.put(columns.getLong(1), columns.getString(2)),
          (Object) runs.stream().mapToLong(Long::longValue).toArray());
      return ids;
    }

    private void recordEvents(EventArrays events) {
      boolean tells = isBrief && !events.isEmpty();
      if (tells) receipt = receiptOf(events);
      if (tells && events.size() == 1) {
        session.update(CommitSql.RECORD_ONE, events.firstColumns());
      } else if (tells) {
        session.update(EventSql.RECORD, events.columns());
      } else {
        var pipeline = new Pipeline();
        fence(pipeline);
        if (!events.isEmpty()) pipeline.add(EventSql.RECORD, events);
        session.pipeline(pipeline);
      }
    }

    /** Nobody else records events of these runs: if the first is there, so is all of the batch. */
    private static Receipt receiptOf(EventArrays events) {
      return new OfEvent(events.firstRun(), events.first());
    }

    private void storeAll(SegmentCommit commit) {
      var pipeline = new Pipeline();
      fence(pipeline);
      commit.addTo(pipeline, member.key, false);
      session.pipeline(pipeline);
    }

    private boolean commitInSteps(BatchPlan plan) {
      open = null;
      var fence = new Pipeline();
      fence(fence);
      session.pipeline(fence);
      for (var segment : plan.segments()) {
        var commit = new SegmentCommit(segment, lockedHolds(segment), outcomes);
        var pipeline = new Pipeline();
        commit.addTo(pipeline, member.key, false);
        if (!pipeline.isEmpty()) session.pipeline(pipeline);
        commit.conclude();
      }
      return true;
    }

    private void fence(Pipeline pipeline) {
      var id = UUID.randomUUID();
      receipt = new OfNode(id);
      var fence = new Fence(member.key, member.sequence, id);
      pipeline.query(CommitSql.FENCE, columns -> clock.read(session.checked(columns, 2), 1), fence);
    }

    /** Looks up what is not known by heart. */
    private Map<Long, Hold> holds(Segment segment) {
      var holds = HashMap.<Long, Hold>newHashMap(segment.appends().size());
      var others = new ArrayList<Long>();
      for (var append : segment.appends()) {
        long run = append.transition().run();
        if (SegmentCommit.isPlainBegin(append.transition())) holds.put(run, Hold.WAITING);
        else if (member.owns(run)) holds.put(run, owned(run));
        else others.add(run);
      }
      if (!others.isEmpty()) lookUp(LOOK_UP, others, holds);
      return holds;
    }

    private Map<Long, Hold> lockedHolds(Segment segment) {
      var holds = new HashMap<Long, Hold>();
      var runs = segment.appends().stream().map(append -> append.transition().run()).toList();
      if (runs.isEmpty()) return holds;
      lookUp(LOCK_BLOCKED, runs, new HashMap<>());
      lookUp(LOOK_UP, runs, holds);
      return holds;
    }

    private void lookUp(String sql, List<Long> runs, Map<Long, Hold> holds) {
      session.list(
          sql,
          columns -> {
            long run = columns.getLong(1);
            boolean isMine = columns.getInt(3) == member.key;
            if (isMine && columns.getBoolean(4)) member.place(run);
            var hold = hold(run, columns.getString(2), isMine);
            if (hold.isOwned()) member.own(run); // until the attempt fails
            return holds.put(run, hold);
          },
          (Object) runs.stream().distinct().mapToLong(Long::longValue).toArray());
    }

    private Hold owned(long run) {
      return member.isPlaced(run) ? Hold.PLACED : Hold.OWNED;
    }

    private Hold hold(long run, String status, boolean isMine) {
      return switch (Status.valueOf(status)) {
        case RUNNING -> isMine ? owned(run) : Hold.NONE;
        case BLOCKED -> Hold.HELD;
        case QUEUED -> Hold.WAITING;
        default -> Hold.NONE;
      };
    }
  }

  static final String WORKFLOW_IDS =
      "SELECT run_key, workflow_id FROM runs WHERE run_key = ANY (?::bigint[])";

  static final String LOOK_UP =
      """
      SELECT run_key, status, owner, placed IS TRUE
        FROM runs
       WHERE run_key = ANY (?::bigint[])
      """;

  /** These runs are nobody's: two nodes may want to go on with one. */
  static final String LOCK_BLOCKED =
      """
      SELECT run_key, status, owner, placed IS TRUE
        FROM runs
       WHERE run_key = ANY (?::bigint[]) AND status IN ('BLOCKED', 'QUEUED')
       ORDER BY run_key
         FOR NO KEY UPDATE
      """;
}
