package dev.reprise.verification.simulation;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** A database with one bug in what it stores or answers. */
final class SabotagedDatabase extends Database {
  private static final long A_MOMENT = 50_000_000; // nanoseconds

  /** Changes nothing: there is no such run. */
  private static final Accept NOTHING =
      new Accept(new InputRow(0, -1, InputRow.Kind.CANCEL, "", "", new byte[0], Instant.EPOCH));

  private final Sabotage sabotage;
  private final Map<UUID, Long> shifts = new HashMap<>(); // of sequences, by hidden batches
  private final Map<UUID, Long> fencedAt = new HashMap<>();
  private final Map<Long, Long> closedAt = new HashMap<>();
  private final Map<String, Long> writtenAt = new HashMap<>();
  private final Map<Long, Long> claimedAt = new HashMap<>();
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final Map<Long, Integer> cursors = new HashMap<>();
  private final Families families = new Families(this);
  private final List<Integer> reserved = new ArrayList<>();
  private int lastNumber;

  private SabotagedDatabase(
      Scheduler scheduler, DatabaseTime time, Auditor auditor, Sabotage sabotage) {
    super(scheduler, time, auditor);
    this.sabotage = sabotage;
  }

  static Database of(Scheduler scheduler, DatabaseTime time, Auditor auditor, Sabotage sabotage) {
    return sabotage == Sabotage.NONE
        ? new Database(scheduler, time, auditor)
        : new SabotagedDatabase(scheduler, time, auditor, sabotage);
  }

  private boolean isRecent(long when) {
    return scheduler().now() - when < A_MOMENT;
  }

  // ---- writing

  @Override
  public List<Outcome> commit(Batch batch) {
    if (sabotage != Sabotage.FORGET_THE_RECEIPT) return super.commit(batch);
    var node = nodes().stream().filter(row -> row.node().equals(batch.node())).findFirst();
    long stored = node.map(NodeRow::sequence).orElse(0L) - shift(batch.node());
    if (stored == batch.sequence()) shifts.merge(batch.node(), 1L, Long::sum);
    return withoutReceipt(batch);
  }

  private List<Outcome> withoutReceipt(Batch batch) {
    try {
      var outcomes = write(batch);
      auditor().committed(batch, outcomes, now());
      return outcomes;
    } catch (TransitionRefused refused) {
      auditor().violation("the store refused: " + refused.getMessage());
      throw refused;
    }
  }

  private long shift(UUID node) {
    return shifts.getOrDefault(node, 0L);
  }

  @Override
  List<Outcome> write(Batch batch) {
    return switch (sabotage) {
      case SKIP_THE_FENCE -> isFenced(batch) ? writeAsOwner(batch) : shifted(batch);
      case FENCE_WITHOUT_WAITING ->
          isFenced(batch)
                  && scheduler().now() - fencedAt.getOrDefault(batch.node(), 0L) < 20 * A_MOMENT
              ? writeAsOwner(batch)
              : shifted(batch);
      case TEAR_BATCHES -> torn(batch);
      case SHUFFLE_BATCHES -> shuffled(batch);
      case FORGET_THE_RECEIPT -> shifted(batch);
      case TELL_PARENTS_TOO_SOON -> toldTooSoon(batch, shifted(batch));
      default -> remember(batch, answered(batch, shifted(changed(batch))));
    };
  }

  /** Delivers what a close had to say, although it was refused. */
  private List<Outcome> toldTooSoon(Batch batch, List<Outcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) != Outcome.INPUTS_WAITING) continue;
      for (var delivery : ((Append) batch.transitions().get(i)).deliveries()) {
        var to = find(delivery.workflowId());
        if (delivery.kind() != InputRow.Kind.CHILD || to.isEmpty()) continue;
        shifts.merge(batch.node(), 1L, Long::sum);
        var input = new Accept(delivery.toInput(to.get().key()));
        long sequence = batch.sequence() + shift(batch.node());
        super.write(new Batch(batch.node(), sequence, List.of(input)));
      }
    }
    return outcomes;
  }

  private boolean isFenced(Batch batch) {
    return auditor().isFenced(batch.node());
  }

  private List<Outcome> shifted(Batch batch) {
    long sequence = batch.sequence() + shift(batch.node());
    return super.write(new Batch(batch.node(), sequence, batch.transitions(), batch.renews()));
  }

  /** As if nobody had looked whose run it is now. */
  private List<Outcome> writeAsOwner(Batch batch) {
    var outcomes = new ArrayList<Outcome>();
    for (var transition : batch.transitions()) {
      outcomes.add(transition instanceof Append append ? writeAsOwner(append) : Outcome.NOT_OPEN);
    }
    return outcomes;
  }

  private Outcome writeAsOwner(Append append) {
    var row = runs(List.of(append.run())).stream().findFirst().orElse(null);
    var owner = row == null ? null : row.owner();
    var node = nodes().stream().filter(n -> n.node().equals(owner)).findFirst();
    if (owner == null || node.isEmpty()) return Outcome.NOT_OPEN;
    shifts.merge(owner, 1L, Long::sum);
    var hidden = new Batch(owner, node.get().sequence() + 1, List.of(append));
    return super.write(hidden).getFirst();
  }

  /** The first half is there, and nobody knows. */
  private List<Outcome> torn(Batch batch) {
    int half = batch.transitions().size() / 2;
    if (half == 0 || scheduler().random().nextInt(10) > 0) return shifted(batch);
    var first = new Batch(batch.node(), batch.sequence(), batch.transitions().subList(0, half));
    auditor().committed(first, shifted(first), now());
    shifts.merge(batch.node(), 1L, Long::sum);
    throw new StoreUnavailable("the connection broke", null);
  }

  private List<Outcome> shuffled(Batch batch) {
    var order = new ArrayList<Integer>();
    for (int i = 0; i < batch.transitions().size(); i++) order.add(i);
    Collections.shuffle(order, Random.from(scheduler().random()));
    var transitions = order.stream().map(batch.transitions()::get).toList();
    var outcomes = super.write(new Batch(batch.node(), batch.sequence(), transitions));
    return order.stream().map(i -> outcomes.get(order.indexOf(i))).toList();
  }

  private Batch changed(Batch batch) {
    var transitions = batch.transitions().stream().map(this::changed).toList();
    return new Batch(batch.node(), batch.sequence(), transitions, batch.renews());
  }

  private Transition changed(Transition transition) {
    if (sabotage == Sabotage.DROP_CANCELS && isCancel(transition)) return NOTHING;
    if (sabotage == Sabotage.FORGET_CHILDREN && families.isForgotten(transition)) return NOTHING;
    if (sabotage == Sabotage.TERMINATE_BY_CANCELLING) return Families.cancelling(transition);
    if (!(transition instanceof Append append)) return transition;
    boolean closes = append.change() instanceof RunChange.Close;
    return switch (sabotage) {
      case DROP_INPUTS_AT_CLOSE -> closes ? with(append, allInputs(append.run())) : append;
      case CONTINUE_WITHOUT_INPUTS ->
          append.change() instanceof RunChange.Continue
              ? with(append, allInputs(append.run()))
              : append;
      case FORGET_PARENTS -> Families.without(append, Families::isEnd);
      case LEAVE_CHILDREN_ALONE -> Families.without(append, Families::isFarewell);
      case RECORD_WITHOUT_CONSUMING -> with(append, List.of());
      case CONSUME_BEFORE_RECORDING ->
          with(
              append,
              append.consumedInputs().stream().filter(allInputs(append.run())::contains).toList());
      case FORGET_WAKE_TIMES -> with(append, Families.withoutWakeTime(append.change()));
      case SCHEDULE_WITHOUT_TASK -> Families.onQueues(append, List.of(), append.cancelled());
      case CANCEL_IN_VAIN -> Families.onQueues(append, append.tasks(), List.of());
      default -> append;
    };
  }

  private static boolean isCancel(Transition transition) {
    return transition instanceof Accept(var input) && input.kind() == InputRow.Kind.CANCEL;
  }

  private List<Long> allInputs(long run) {
    return super.inputs(run).stream().map(InputRow::id).toList();
  }

  private static Append with(Append append, List<Long> consumed) {
    return with(append, consumed, append.change());
  }

  private static Append with(Append append, RunChange change) {
    return with(append, append.consumedInputs(), change);
  }

  private static Append with(Append append, List<Long> consumed, RunChange change) {
    return new Append(
        append.run(),
        append.events(),
        consumed,
        change,
        append.deliveries(),
        append.attributes(),
        append.tasks(),
        append.cancelled());
  }

  /** Takes the inputs out of the inbox that the batch is going to record. */
  void consume(Batch batch) {
    for (var transition : batch.transitions()) {
      if (!(transition instanceof Append append) || append.consumedInputs().isEmpty()) continue;
      shifts.merge(batch.node(), 1L, Long::sum);
      var waiting =
          append.consumedInputs().stream().filter(allInputs(append.run())::contains).toList();
      var only = new Append(append.run(), List.of(), waiting, new RunChange.None());
      super.write(
          new Batch(batch.node(), batch.sequence() + shift(batch.node()) - 1, List.of(only)));
    }
  }

  private List<Outcome> answered(Batch batch, List<Outcome> outcomes) {
    var told = new ArrayList<>(outcomes);
    for (int i = 0; i < told.size(); i++) {
      var transition = batch.transitions().get(i);
      if (isWronglyStored(transition, told.get(i))) told.set(i, Outcome.STORED);
      if (sabotage == Sabotage.FORGET_CHILDREN && transition instanceof Transition.Start) {
        if (told.get(i) == Outcome.NOT_OPEN) told.set(i, Outcome.EXISTS); // nobody looks why
      }
    }
    return told;
  }

  private boolean isWronglyStored(Transition transition, Outcome outcome) {
    return switch (sabotage) {
      case DROP_CANCELS -> isCancel(transition);
      case IGNORE_TAKEN_IDS -> outcome == Outcome.EXISTS;
      case LOCK_TOO_WEAKLY ->
          outcome == Outcome.NOT_OPEN
              && transition instanceof Accept(var input)
              && isRecent(closedAt.getOrDefault(input.run(), Long.MIN_VALUE / 2));
      default -> false;
    };
  }

  private List<Outcome> remember(Batch batch, List<Outcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (!(batch.transitions().get(i) instanceof Append append)) continue;
      families.remember(batch.node(), append);
      if (append.change() instanceof RunChange.Close) closedAt.put(append.run(), scheduler().now());
      for (var event : append.events()) {
        writtenAt.put(append.run() + "/" + event.index(), scheduler().now());
      }
    }
    return outcomes;
  }

  @Override
  TaskStore storedTasks() {
    return new SabotagedTasks(super.storedTasks(), sabotage, scheduler(), time());
  }

  // ---- nodes

  @Override
  public boolean fence(NodeRow seen) {
    boolean fenced = super.fence(seen);
    if (fenced) fencedAt.put(seen.node(), scheduler().now());
    return fenced;
  }

  @Override
  public List<NodeRow> nodes() {
    var rows = super.nodes();
    return switch (sabotage) {
      case NEVER_FENCE ->
          rows.stream().filter(row -> row.isPresent() && !row.isLeaseOver()).toList();
      case FENCE_TOO_SOON -> rows.stream().map(SabotagedDatabase::ended).toList();
      default -> rows;
    };
  }

  /** As a process that is known to have ended. */
  private static NodeRow ended(NodeRow row) {
    if (row.isPresent()) return row;
    return new NodeRow(
        row.node(),
        machine() + "/999999999",
        row.isClient(),
        row.joinedAt(),
        row.lease(),
        row.leaseUntil(),
        row.isLeaseOver(),
        false,
        row.isFenced(),
        row.sequence());
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    var rows = new ArrayList<>(super.claim(claim));
    if (sabotage == Sabotage.CLAIM_WITHOUT_LOCK && !claim.suspects()) {
      var seen =
          claimedAt.entrySet().stream().filter(e -> isRecent(e.getValue())).map(Map.Entry::getKey);
      for (var row : runs(seen.toList())) {
        if (row.status().isClosed() || claim.node().equals(row.owner())) continue;
        rows.add(row);
      }
      super.runs(rows.stream().map(RunRow::key).toList())
          .forEach(row -> claimedAt.putIfAbsent(row.key(), scheduler().now()));
    }
    return rows;
  }

  @Override
  void unanswered(UUID node, List<RunRow> rows) {
    if (sabotage != Sabotage.FORGET_LOST_CLAIMS) super.unanswered(node, rows);
  }

  // ---- reading

  @Override
  public List<Long> runsWithInputs(UUID node, List<String> workflows) {
    return sabotage == Sabotage.RELY_ON_HINTS ? List.of() : super.runsWithInputs(node, workflows);
  }

  @Override
  public List<InputRow> inputs(long run) {
    var rows = super.inputs(run);
    return switch (sabotage) {
      case REVERSE_INPUTS -> rows.reversed();
      case READ_THE_INBOX_BY_CURSOR -> afterCursor(run, rows);
      default -> rows;
    };
  }

  private List<InputRow> afterCursor(long run, List<InputRow> rows) {
    int cursor = cursors.getOrDefault(run, 0);
    var seen = rows.stream().filter(row -> number(row.id()) > cursor).toList();
    for (var row : seen) cursors.merge(run, number(row.id()), Math::max);
    return seen;
  }

  /** Given when a transaction begins: who begins first may commit last. */
  private int number(long input) {
    return numbers.computeIfAbsent(
        input,
        _ -> {
          if (!reserved.isEmpty() && scheduler().random().nextBoolean())
            return reserved.removeLast();
          if (scheduler().random().nextInt(3) == 0) reserved.add(++lastNumber);
          return ++lastNumber;
        });
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    var rows = super.history(run, fromIndex, limit);
    if (sabotage != Sabotage.READ_A_REPLICA || limit == Integer.MAX_VALUE) return rows;
    return rows.stream()
        .takeWhile(row -> !isRecent(writtenAt.getOrDefault(run + "/" + row.index(), 0L)))
        .toList();
  }

  @Override
  EventRow asRead(EventRow row, long run, int checksum) {
    return sabotage == Sabotage.TRUST_THE_DISK ? row : super.asRead(row, run, checksum);
  }

  @Override
  public Map<Long, Stored> load(Collection<Long> runs, int events) {
    if (sabotage == Sabotage.READ_THE_INBOX_BY_CURSOR) runs.forEach(cursors::remove);
    var loaded = super.load(runs, events);
    loaded.replaceAll(
        (_, stored) -> new Stored(Undoings.changed(sabotage, stored.events()), stored.inputs()));
    return loaded;
  }
}
