package dev.reprise.jdbc;

import dev.reprise.engine.machine.Patience;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A node that has joined here, and what is known of it beside its row. */
final class Member {
  // Each disappointment costs a batch, and leaves an error in the log of the server.
  private static final int CAREFUL_BATCHES = 1_000;

  // One long for each run in memory. More than that and runs are looked up again.
  private static final int MAX_KNOWN_RUNS = 100_000;

  final UUID node;
  final int key;
  final int lockId;

  /** Of the server on which it joined. */
  final String timeline;

  /** How many batches it has committed. Belongs to who commits, as the next four. */
  long batches;

  /** The number in its row: how many of them were written there. */
  long sequence;

  /** Whether its batches are expected to start only what is new, and to end only what can end. */
  final Patience hope = new Patience(1, 1, CAREFUL_BATCHES);

  /** What shows that its last acknowledged batch was committed; none if there was no batch yet. */
  @Nullable Receipt last;

  /** A batch of which nobody knows whether it was committed. */
  @Nullable Unknown unknown;

  /** Held by who claims. */
  final ReentrantLock claiming = new ReentrantLock();

  /** Runs that may be this node's since a claim whose end nobody knows. Belongs to who claims. */
  List<RunRow> unknownClaim = List.of();

  /**
   * Runs that are certainly {@code RUNNING} and this node's, so that the most frequent transition,
   * a further event and nothing else, needs no look at {@code runs}. Nobody else changes them while
   * the node is not fenced, which each batch makes sure of.
   */
  private final Set<Long> owned = new HashSet<>();

  /** Those of them that have a place on a queue; all others have none. */
  private final Set<Long> placed = new HashSet<>();

  /**
   * A batch of which the answer was lost.
   *
   * @param transitions what was in it
   * @param tries each time that it was sent
   */
  record Unknown(List<Transition> transitions, List<Try> tries) {}

  /**
   * One time that a batch was sent.
   *
   * @param receipt what is there if it was committed
   * @param outcomes as far as they were known beforehand
   * @param segment who knows the others, or null if all are known
   */
  record Try(Receipt receipt, Outcome[] outcomes, @Nullable SegmentCommit segment) {}

  /** What shows that a batch was committed. */
  sealed interface Receipt {
    /** The row of the node has its id. */
    record OfNode(UUID batch) implements Receipt {}

    /** It has recorded this event, which nobody else does. */
    record OfEvent(long run, EventRow event) implements Receipt {}
  }

  Member(UUID node, int key, int lockId, String timeline) {
    this.node = node;
    this.key = key;
    this.lockId = lockId;
    this.timeline = timeline;
  }

  synchronized boolean owns(long run) {
    return owned.contains(run);
  }

  synchronized void own(long run) {
    if (owned.size() >= MAX_KNOWN_RUNS) owned.clear();
    owned.add(run);
  }

  synchronized void own(long run, boolean isPlaced) {
    own(run);
    if (isPlaced) placed.add(run);
  }

  synchronized boolean isPlaced(long run) {
    return placed.contains(run);
  }

  /** The run has a place on a queue, until it is forgotten. */
  synchronized void place(long run) {
    placed.add(run);
  }

  synchronized void forget(long run) {
    owned.remove(run);
    placed.remove(run);
  }

  synchronized void forgetAll() {
    owned.clear();
    placed.clear();
  }
}
