package dev.reprise.verification.simulation;

import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.testkit.ForwardingStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The database that all processes share: the store in memory, with what a server adds to it: a
 * clock of its own, receipts of batches, and that it sees which processes live. Statements of the
 * processes reach it by their {@link Connection}s, one at a time.
 */
class Database extends ForwardingStore {
  private final Scheduler scheduler;
  private final DatabaseTime time;
  private final Auditor auditor;
  private final Map<UUID, SimulatedProcess> processes = new HashMap<>();
  private final Map<UUID, Receipt> receipts = new HashMap<>();
  private final Map<UUID, List<Long>> unanswered = new HashMap<>();
  private final Map<SimulatedProcess, Long> unseenUntil = new HashMap<>();
  private @Nullable TaskStore tasks;
  private boolean down;
  private int misreads; // of histories that are loaded next

  private record Receipt(long sequence, List<Outcome> outcomes) {}

  Database(Scheduler scheduler, DatabaseTime time, Auditor auditor) {
    super(MemoryStore.forMany(time));
    this.scheduler = scheduler;
    this.time = time;
    this.auditor = auditor;
  }

  Auditor auditor() {
    return auditor;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  DatabaseTime time() {
    return time;
  }

  Instant now() {
    return time.instant();
  }

  // ---- its troubles

  void stop() {
    down = true;
  }

  void restart() {
    down = false;
  }

  boolean isDown() {
    return down;
  }

  /** One of the histories that are loaded next comes with a flipped bit, as from a bad disk. */
  void misreadNext() {
    misreads++;
  }

  @Override
  public Map<Long, Stored> load(Collection<Long> runs, int events) {
    var loaded = super.load(runs, events);
    if (misreads > 0) loaded.replaceAll(this::misread);
    return loaded;
  }

  private Stored misread(long run, Stored stored) {
    var withValue = stored.events().stream().filter(Database::hasValue).toList();
    if (misreads == 0 || withValue.isEmpty()) return stored;
    misreads--;
    var sound = withValue.get(scheduler.random().nextInt(withValue.size()));
    auditor.misread(run, sound.index());
    var events = new ArrayList<>(stored.events());
    events.set(events.indexOf(sound), asRead(flipped(sound), run, sound.checksum(run)));
    return new Stored(events, stored.inputs());
  }

  private static boolean hasValue(EventRow row) {
    return row.value() != null && row.value().length > 0;
  }

  private EventRow flipped(EventRow row) {
    var value = Objects.requireNonNull(row.value()).clone();
    int bit = scheduler.random().nextInt(value.length * 8);
    value[bit / 8] ^= (byte) (1 << bit % 8);
    return new EventRow(row.index(), row.at(), row.type(), row.site(), row.attributes(), value);
  }

  /** An event as the store gives it to its readers. */
  EventRow asRead(EventRow row, long run, int checksum) {
    return row.checked(run, checksum);
  }

  /** The process cannot be seen until then. */
  void loseSightOf(SimulatedProcess process, long untilNanos) {
    unseenUntil.merge(process, untilNanos, Math::max);
  }

  private boolean sees(@Nullable SimulatedProcess process) {
    return process != null
        && !process.isDead()
        && unseenUntil.getOrDefault(process, 0L) <= scheduler.now();
  }

  // ---- nodes

  void join(SimulatedProcess process, Joining node) {
    join(node);
    processes.put(node.node(), process);
    auditor.log("%s joins as %s", process, name(node.node()));
  }

  @Override
  public void leave(UUID node) {
    super.leave(node);
    auditor.fenced(node);
  }

  @Override
  public List<NodeRow> nodes() {
    return super.nodes().stream().map(this::seen).toList();
  }

  private NodeRow seen(NodeRow row) {
    return new NodeRow(
        row.node(),
        row.host(),
        row.isClient(),
        row.joinedAt(),
        row.lease(),
        row.leaseUntil(),
        row.isLeaseOver(),
        sees(processes.get(row.node())),
        row.isFenced(),
        row.sequence());
  }

  @Override
  public boolean fence(NodeRow seen) {
    boolean fenced = super.fence(seen);
    if (fenced) {
      auditor.log("%s is fenced, seen as %s", name(seen.node()), seen);
      auditor.fenced(seen.node());
    }
    return fenced;
  }

  private String name(UUID node) {
    return processes.get(node) + "/" + node.toString().substring(32);
  }

  /** The process is gone, or stands still: nothing may be its own any more. */
  void expectTakenOver(SimulatedProcess process) {
    var owned = ownedRuns().keySet();
    if (owned.stream().anyMatch(node -> process.equals(processes.get(node)))) {
      auditor.violation("runs of %s have not been taken over in time".formatted(process));
    }
  }

  /** Whether a node of that process is the owner of the run and may write. */
  boolean isOwner(SimulatedProcess process, String workflowId) {
    var owner = find(workflowId).map(RunRow::owner).orElse(null);
    return owner != null && process.equals(processes.get(owner)) && !auditor.isFenced(owner);
  }

  // ---- writing

  /** Commits a batch, or says again what came of it. */
  @Override
  public List<Outcome> commit(Batch batch) {
    var receipt = receipts.get(batch.node());
    if (receipt == null || receipt.sequence != batch.sequence() || auditor.isFenced(batch.node())) {
      return execute(batch);
    }
    auditor.count("receipts found");
    return receipt.outcomes;
  }

  private List<Outcome> execute(Batch batch) {
    try {
      var outcomes = write(batch);
      if (!outcomes.isEmpty()) {
        auditor.log("%s commits %d: %s", name(batch.node()), batch.sequence(), outcomes);
      }
      receipts.put(batch.node(), new Receipt(batch.sequence(), outcomes));
      auditor.committed(batch, outcomes, now());
      return outcomes;
    } catch (Fenced fenced) {
      auditor.count("batches of fenced nodes refused");
      throw fenced;
    } catch (TransitionRefused refused) {
      if (batch.transitions().stream().anyMatch(Database::isAskedOfHeldRun)) {
        auditor.count("calls that came too late for a held run");
      } else {
        auditor.violation("the store refused: " + refused.getMessage());
      }
      throw refused;
    }
  }

  /** A held run may go on, and be held again, while a caller resumes or ends it as it was. */
  private static boolean isAskedOfHeldRun(Transition transition) {
    if (!(transition instanceof Append append) || append.events().size() != 1) return false;
    return switch (EventType.of(append.events().getFirst().type())) {
      case WORKFLOW_RESUMED, WORKFLOW_TERMINATED, COMPENSATIONS_STARTED -> true;
      default -> false;
    };
  }

  /** What is on queues, watched. */
  @Override
  public final TaskStore tasks() {
    if (tasks == null) tasks = new WatchedTasks(storedTasks(), this);
    return tasks;
  }

  TaskStore storedTasks() {
    return super.tasks();
  }

  /** The transaction itself. */
  List<Outcome> write(Batch batch) {
    return super.commit(batch);
  }

  /** What the node does not know that it has is in the answer, too. */
  @Override
  public List<RunRow> claim(Claim claim) {
    var rows = new ArrayList<>(super.claim(claim));
    if (rows.stream().anyMatch(row -> row.crashes() > 0)) auditor.count("takeovers");
    var before = claim.suspects() ? null : unanswered.remove(claim.node());
    if (before != null) rows.addAll(stillOwned(claim.node(), before));
    return rows;
  }

  private List<RunRow> stillOwned(UUID node, List<Long> keys) {
    return runs(keys).stream().filter(row -> node.equals(row.owner())).toList();
  }

  /** The node did not hear that it has these. */
  void unanswered(UUID node, List<RunRow> rows) {
    if (rows.isEmpty()) return;
    auditor.count("claims unanswered");
    var keys = unanswered.computeIfAbsent(node, _ -> new ArrayList<>());
    rows.forEach(row -> keys.add(row.key()));
  }

  /** All of it. */
  List<EventRow> history(long run) {
    return history(run, 1, Integer.MAX_VALUE);
  }

  @Override
  public boolean isInProcess() {
    return false;
  }
}
