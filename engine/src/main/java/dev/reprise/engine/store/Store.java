package dev.reprise.engine.store;

import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
   * Enters a new node, the one that writes from now on. It supersedes the node before it, which is
   * fenced, and whose runs are free.
   *
   * @throws dev.reprise.RepriseException {@code R117} if another engine process has this database
   */
  void join(UUID node, String host);

  /** Fences the node. What it owned is free. */
  void leave(UUID node);

  // ---- writing --------------------------------------------------------------------------------

  /**
   * Commits all transitions of a batch in one transaction, durably, and says for each what came of
   * it.
   *
   * <p>First, the node's own row must be at {@code batch.sequence() - 1} and goes to {@code
   * batch.sequence()}: the fence and the receipt. A transition whose outcome is not {@link
   * Outcome#STORED} changes nothing; the others are stored all the same. After any exception but
   * {@link Fenced} the node may commit again, with the same sequence.
   *
   * @throws Fenced if the node is gone or has another sequence; nothing is stored
   * @throws TransitionRefused if some of the data cannot be right, such as an index that is taken,
   *     an input that does not wait, or a new run of another node; nothing is stored
   */
  List<Outcome> commit(Batch batch);

  /** The first of that many run keys, ascending, that nobody else gets. */
  long reserveKeys(int count);

  /**
   * Makes the node the owner of runs that are due and have no live owner, the longest due first,
   * and returns them as they are then.
   *
   * @throws Fenced if the node is not the one that writes
   */
  List<RunRow> claim(Claim claim);

  // ---- reading --------------------------------------------------------------------------------

  /** When the next run that is not this node's own is due. */
  Optional<Instant> nextWake(UUID node);

  /** The latest run of a workflow id. */
  Optional<RunRow> find(String workflowId);

  /** Events of a run from an index on, in order. */
  List<EventRow> history(long run, int fromIndex, int limit);

  /** The last event of a run: how it ended, if it is closed. */
  Optional<EventRow> lastEvent(long run);

  /** Inputs that were accepted for a run and are not in its history yet, oldest first. */
  List<InputRow> inputs(long run);

  /** Runs, the newest first. */
  List<RunRow> list(ListQuery query);

  /**
   * Whether committing is a matter of this process and its disk, and any thread may do it. A
   * database behind a socket is not: an interrupt of a virtual thread would close the socket.
   */
  default boolean isInProcess() {
    return false;
  }

  @Override
  void close();

  /**
   * A batch of transitions.
   *
   * @param node the node that writes
   * @param sequence one more than that of the node's last committed batch, from 1
   * @param transitions in the order in which they take effect
   */
  record Batch(UUID node, long sequence, List<Transition> transitions) {}

  /**
   * Which runs a node takes.
   *
   * @param node the new owner
   * @param workflows names of the definitions it can run
   * @param until due at that time or before, or with inputs waiting
   * @param limit at most so many
   */
  record Claim(UUID node, List<String> workflows, Instant until, int limit) {
    public Claim {
      workflows = List.copyOf(workflows);
    }
  }

  /** What came of a transition. */
  enum Outcome {
    /** It is durable. */
    STORED,
    /** Start: the workflow id is taken. */
    EXISTS,
    /** Close: inputs were accepted meanwhile; the run must take them in first. */
    INPUTS_WAITING,
    /**
     * There is no such run, or it is not in a state to take it: a blocked one takes inputs and may
     * be unblocked or closed, a closed one takes nothing.
     */
    NOT_OPEN
  }

  /** The database did not answer, or not as it should. The same call may work later. */
  final class StoreUnavailable extends RepriseException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailable(String message, Throwable cause) {
      super(ErrorCode.R118, message, cause);
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

    public Fenced(String message) {
      super(message);
    }
  }
}
