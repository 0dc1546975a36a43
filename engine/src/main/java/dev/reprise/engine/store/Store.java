package dev.reprise.engine.store;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where histories are kept. The engine knows its database by this interface only.
 *
 * <p>Writing goes through {@link #commit}, and {@link #claim} for taking over runs; everything else
 * reads what is committed. Methods may be called from several threads, always from threads that the
 * engine owns, never from virtual ones. A failure to reach the database is {@link StoreUnavailable}
 * and may be tried again.
 */
public interface Store extends AutoCloseable {

  // ---- the node -------------------------------------------------------------------------------

  /**
   * Enters a new node. If only one may have the database at a time, it supersedes the node before
   * it, which is fenced and whose runs are free.
   *
   * @throws dev.reprise.RepriseException {@code R117} if another engine process has this database
   */
  void join(Joining node);

  /** The node takes no runs from now on: none are left to it because of its code. */
  default void retire(UUID node) {}

  /** The node goes by itself, and is fenced. What it owned is free; a client is forgotten. */
  void leave(UUID node);

  /**
   * The codes that the nodes named when they joined, of those that are not fenced and not retired.
   * None where only one may have the database: there is no other to which a run could be left.
   */
  default Set<String> codes() {
    return Set.of();
  }

  /** The nodes of this database: those that live, and those that are still named as owners. */
  List<NodeRow> nodes();

  /**
   * Fences a node that seems to be gone: nothing of it is committed from then on, and what it owned
   * is free. Waits for a batch of it that is being committed.
   *
   * @return false if it has shown itself since, or is fenced already
   */
  boolean fence(NodeRow seen);

  /** How many open runs each node owns. */
  Map<UUID, Long> ownedRuns();

  /**
   * Looks whether another release has changed the tables since this store was opened.
   *
   * @return {@code R116} if a newer one has brought them up to date, {@code R152} if an older one
   *     has created its own beside them: this store goes on working, and cannot be opened again
   */
  default Optional<RepriseException> newerSchema() {
    return Optional.empty();
  }

  /** What people call this store: which database it is, without a password. */
  default String name() {
    return getClass().getSimpleName();
  }

  /** Whether many nodes may have this database at the same time. */
  default boolean isShared() {
    return false;
  }

  /**
   * Whether the other nodes can see at this moment that this process lives. If not, they may fence
   * its node soon.
   */
  default boolean isPresent() {
    return true;
  }

  /**
   * How often the other nodes have not seen this process so far. If that has changed they may have
   * fenced its node, even if they see it again.
   */
  default int absences() {
    return 0;
  }

  /** The time that all nodes of this database share. Never before the last, never ahead. */
  default InstantSource clock() {
    return InstantSource.system();
  }

  /** Hints from and to the other nodes. */
  default Wakeups wakeups() {
    return Wakeups.NONE;
  }

  // ---- writing --------------------------------------------------------------------------------

  /**
   * Commits all transitions of a batch in one transaction, durably, and says for each what came of
   * it.
   *
   * <p>First, the node must not be fenced and must have committed {@code batch.sequence() - 1}
   * batches, and others cannot fence it until this one is committed. A transition whose outcome is
   * not {@link Outcome#STORED} changes nothing; the others are stored all the same. After any
   * exception but {@link Fenced} the node may commit again, with the same sequence.
   *
   * @throws Fenced if the node is gone or has another sequence; nothing is stored
   * @throws StoreUnavailable if it is not known whether the batch is stored, or it could not be
   *     sent: the same batch may be committed again
   * @throws TransitionRefused if some of the data cannot be right, such as an index that is taken,
   *     an input that does not wait, or a new run of another node; nothing is stored
   * @throws RuntimeException any other, if a transition cannot be sent; nothing is stored
   */
  List<Outcome> commit(Batch batch);

  /**
   * Deletes runs that were closed before that time, with their histories, the oldest first and at
   * most so many; a workflow id whose latest run is deleted may be used again.
   *
   * @return how many were deleted
   */
  int deleteClosed(Instant before, int limit);

  /** The first of that many run keys, ascending, that nobody else gets. */
  long reserveKeys(int count);

  /**
   * Makes the node the owner of runs that are due and have no live owner, the longest due first,
   * and returns them as they are then.
   *
   * <p>A run whose owner was fenced counts one crash more, from 1 again if it has recorded
   * something since the last one; a run that was released counts none. If the answer is lost, what
   * was taken is in the answer to the next claim.
   *
   * @throws Fenced if the node may not write any more
   */
  List<RunRow> claim(Claim claim);

  /**
   * Notes how a suspect of that node is tried from now on: alone, or with others ({@link
   * Suspicion}). Changes nothing if the run is another node's by now, and may be called again.
   *
   * @throws Fenced if the store notices that the node may not write any more
   */
  void tried(UUID node, long run, Trial trial);

  /** Work that waits on queues. */
  TaskStore tasks();

  // ---- reading --------------------------------------------------------------------------------

  /** When the next run of these workflows is due that no live node has. */
  Optional<Instant> nextWake(UUID node, List<String> workflows);

  /**
   * Workflows with runs that no live node has and that were due before then, and since when. Cheap:
   * some looks at the index for each workflow.
   */
  default Map<String, Instant> unclaimed(Instant before) {
    return Map.of();
  }

  /** Runs of a node, of these workflows, for which inputs wait. */
  List<Long> runsWithInputs(UUID node, List<String> workflows);

  /** The latest run of a workflow id. */
  Optional<RunRow> find(String workflowId);

  /** All runs of a workflow id, the newest first: those before the latest are continued ones. */
  List<RunRow> runsOf(String workflowId);

  /** Runs by their keys, in no order. */
  List<RunRow> runs(Collection<Long> keys);

  /** Events of a run from an index on, in order. */
  List<EventRow> history(long run, int fromIndex, int limit);

  /** Events of one type of a run, in order. */
  List<EventRow> eventsOfType(long run, int type);

  /** The last event of a run: how it ended, if it is closed. */
  Optional<EventRow> lastEvent(long run);

  /** Inputs that were accepted for a run and are not in its history yet, oldest first. */
  List<InputRow> inputs(long run);

  /** Those of many runs; runs without inputs are not in the answer. */
  default Map<Long, List<InputRow>> inputs(Collection<Long> runs) {
    var found = new HashMap<Long, List<InputRow>>();
    for (long run : runs) {
      var inputs = inputs(run);
      if (!inputs.isEmpty()) found.put(run, inputs);
    }
    return found;
  }

  /**
   * The first events of each of these runs, at most so many of each, and its waiting inputs: what
   * many runs need that come into memory together.
   */
  default Map<Long, Stored> load(Collection<Long> runs, int events) {
    var loaded = new HashMap<Long, Stored>();
    for (long run : runs) loaded.put(run, new Stored(history(run, 1, events), inputs(run)));
    return loaded;
  }

  /** Runs that a filter lets through, of those with keys below that one, the newest first. */
  List<RunRow> list(Filter filter, long beforeKey, int limit);

  /** How many runs a filter lets through. */
  long count(Filter filter);

  /** How many of each there are, by the name of the status or of the workflow. */
  Map<String, Long> countBy(Filter filter, Grouping grouping);

  /**
   * Looks for rows that do not fit together, as only the whole database can show; at most so many
   * for each way in which they can be wrong. Slow: it reads all tables.
   */
  default List<Inconsistency> inconsistencies(int limit) {
    return List.of();
  }

  /**
   * Whether committing is a matter of this process and its disk, and any thread may do it. A
   * database behind a socket is not: an interrupt of a virtual thread would close the socket.
   */
  default boolean isInProcess() {
    return false;
  }

  @Override
  void close();

  /** What is stored of a run beside its row. */
  record Stored(List<EventRow> events, List<InputRow> inputs) {}

  /**
   * A node that comes.
   *
   * @param node its id
   * @param host the machine and process it is on, for people
   * @param isClient whether it only starts and signals: it owns no runs
   * @param lease how long it may be silent before others may take it for gone
   * @param codes what its code is, by which the others know which runs to leave to it
   * @param workflows names of the definitions it can run, former names included
   */
  record Joining(
      UUID node,
      String host,
      boolean isClient,
      Duration lease,
      Set<String> codes,
      List<String> workflows) {
    public Joining {
      codes = Set.copyOf(codes);
      workflows = List.copyOf(workflows);
    }

    /** One to which no runs are left. */
    public Joining(
        UUID node, String host, boolean isClient, Duration lease, List<String> workflows) {
      this(node, host, isClient, lease, Set.of(), workflows);
    }

    /** One that others do not know to run anything. */
    public Joining(UUID node, String host, boolean isClient, Duration lease, Set<String> codes) {
      this(node, host, isClient, lease, codes, List.of());
    }

    /** One that runs nothing. */
    public Joining(UUID node, String host, boolean isClient, Duration lease) {
      this(node, host, isClient, lease, Set.of(), List.of());
    }
  }

  /**
   * A batch of transitions.
   *
   * @param node the node that writes
   * @param sequence one more than that of the node's last committed batch, from 1
   * @param transitions in the order in which they take effect
   * @param renews whether the lease of the node is renewed and the others see a further sequence.
   *     If not, that is left to the store: to look at the node's row is cheaper than to write it
   */
  record Batch(UUID node, long sequence, List<Transition> transitions, boolean renews) {
    /** A batch that renews the lease. */
    public Batch(UUID node, long sequence, List<Transition> transitions) {
      this(node, sequence, transitions, true);
    }
  }

  /**
   * Which runs a node takes.
   *
   * @param node the new owner
   * @param workflows names of the definitions it can run
   * @param until due at that time or before, or with inputs waiting
   * @param trial how suspects are tried, if only those are wanted that have crashed {@link
   *     #SUSPECT} owners or more; {@link Trial#NONE} if only others are
   * @param limit at most so many
   * @param except keys of runs that are left to other nodes
   */
  record Claim(
      UUID node, List<String> workflows, Instant until, Trial trial, int limit, Set<Long> except) {
    /** So many crashes in a row are no accident of the neighbours any more. */
    public static final int SUSPECT = 3;

    public Claim {
      workflows = List.copyOf(workflows);
      except = Set.copyOf(except);
    }

    /** Of all runs. */
    public Claim(UUID node, List<String> workflows, Instant until, Trial trial, int limit) {
      this(node, workflows, until, trial, limit, Set.of());
    }

    public boolean suspects() {
      return trial != Trial.NONE;
    }
  }

  /** Whether other suspects are in the memory of the same node while a suspect is tried. */
  enum Trial {
    NONE,
    ALONE,
    IN_COMPANY
  }

  /** What came of a transition. */
  enum Outcome {
    /** It is durable. */
    STORED,
    /** Start: the workflow id is taken. */
    EXISTS,
    /** Start: a run of the queue with the same unique key waits or runs. */
    DUPLICATE,
    /**
     * Close: inputs were accepted meanwhile, and the run must take them in first; or somebody is
     * sending to it, or closing one to which it sends, and it may try again at once.
     */
    INPUTS_WAITING,
    /**
     * There is no such run, or it is not in a state to take it: a blocked one takes inputs and may
     * be unblocked or closed, a closed one takes nothing.
     */
    NOT_OPEN
  }

  /**
   * The database did not answer, or not as it should. The same call may work later: by itself if
   * the error {@link #isRetryable is retryable}, else after an operator has mended the cause. A
   * running engine waits for either.
   */
  final class StoreUnavailable extends RepriseException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailable(String message, @Nullable Throwable cause) {
      this(ErrorCode.R118, message, cause);
    }

    public StoreUnavailable(ErrorCode code, String message, @Nullable Throwable cause) {
      super(code, message, cause);
    }
  }

  /** The database refused the data: trying again without change is no use. */
  final class TransitionRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TransitionRefused(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** This node may not write any more. */
  final class Fenced extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private boolean intended;

    public Fenced(String message) {
      this(ErrorCode.R122, message);
    }

    /** It was wanted so, and is no news for the log. */
    public Fenced intended() {
      intended = true;
      return this;
    }

    public boolean isIntended() {
      return intended;
    }

    /**
     * @param code the error that callers get from then on
     */
    public Fenced(ErrorCode code, String message) {
      super(message);
      this.code = code;
    }

    public ErrorCode code() {
      return code;
    }
  }
}
