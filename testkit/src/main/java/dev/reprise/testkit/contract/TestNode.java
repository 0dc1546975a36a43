package dev.reprise.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.Trial;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A node as a store sees it: who commits, and with which sequence. */
public final class TestNode {
  static final Duration LEASE = Duration.ofMinutes(1);

  private final Store store;
  private final UUID id = UUID.randomUUID();
  private long sequence;

  private TestNode(Store store) {
    this.store = store;
  }

  /** A node that has just joined. */
  public static TestNode join(Store store) {
    var node = new TestNode(store);
    store.join(new Joining(node.id, "host", false, LEASE));
    return node;
  }

  public UUID id() {
    return id;
  }

  /** The batch that would come next. */
  public Batch batch(Transition... transitions) {
    return new Batch(id, sequence + 1, List.of(transitions));
  }

  /** The batch that would come next, if the lease need not be renewed. */
  public Batch briefBatch(Transition... transitions) {
    return new Batch(id, sequence + 1, List.of(transitions), false);
  }

  /** Commits the batch that comes next. */
  public List<Outcome> commit(Transition... transitions) {
    return commit(batch(transitions));
  }

  /** Commits the batch that comes next, and does not renew the lease. */
  public List<Outcome> commitBriefly(Transition... transitions) {
    return commit(briefBatch(transitions));
  }

  private List<Outcome> commit(Batch batch) {
    var outcomes = store.commit(batch);
    sequence++;
    return outcomes;
  }

  /** Commits transitions that must be stored. */
  public void store(Transition... transitions) {
    assertThat(commit(transitions)).containsOnly(Outcome.STORED);
  }

  /** A run of this node, due at once. */
  public RunRow run(String workflowId) {
    return run(workflowId, "Checkout", Rows.NOON);
  }

  /** A run of this node. */
  public RunRow run(String workflowId, String workflow, @Nullable Instant wakeAt) {
    return new RunRow(
        store.reserveKeys(1),
        UUID.randomUUID(),
        workflowId,
        workflow,
        Status.RUNNING,
        id,
        wakeAt,
        Rows.NOON,
        null,
        null,
        0);
  }

  /** Starts a run, due at once, and gives its key. */
  public long start(String workflowId) {
    return start(run(workflowId));
  }

  /** Starts a run and gives its key. */
  public long start(RunRow run) {
    store(new Start(run, Rows.event(1)));
    return run.key();
  }

  /** Commits a change of a run, without events, that must be stored. */
  public void change(long run, RunChange change) {
    store(new Append(run, List.of(), List.of(), change));
  }

  /** Workflow ids of the runs that this node gets. */
  public List<String> claim(Instant until) {
    return claim(until, 100, "Checkout").stream().map(RunRow::workflowId).toList();
  }

  public List<RunRow> claim(Instant until, int limit, String... workflows) {
    return store.claim(new Claim(id, List.of(workflows), until, Trial.NONE, limit));
  }

  /** Workflow ids of the suspects that this node gets. */
  public List<String> claimSuspects(Instant until) {
    return claimSuspects(until, Trial.ALONE).stream().map(RunRow::workflowId).toList();
  }

  public List<RunRow> claimSuspects(Instant until, Trial trial) {
    return store.claim(new Claim(id, List.of("Checkout"), until, trial, 100));
  }

  /** The history of a run, at most a page of it. */
  public List<EventRow> history(long run) {
    return store.history(run, 1, 10_000);
  }
}
