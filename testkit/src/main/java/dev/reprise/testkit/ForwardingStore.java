package dev.reprise.testkit;

import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Inconsistency;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.Wakeups;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A store that hands everything on to another: what a test changes, it overrides. Only {@link
 * #load} is left as it is, which asks for histories and inputs one by one.
 */
public class ForwardingStore implements Store {
  private final Store store;

  public ForwardingStore(Store store) {
    this.store = store;
  }

  @Override
  public void join(Joining node) {
    store.join(node);
  }

  @Override
  public void retire(UUID node) {
    store.retire(node);
  }

  @Override
  public Set<String> codes() {
    return store.codes();
  }

  @Override
  public void leave(UUID node) {
    store.leave(node);
  }

  @Override
  public List<NodeRow> nodes() {
    return store.nodes();
  }

  @Override
  public boolean fence(NodeRow seen) {
    return store.fence(seen);
  }

  @Override
  public Map<UUID, Long> ownedRuns() {
    return store.ownedRuns();
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Map<String, Instant> unclaimed(Instant before) {
    return store.unclaimed(before);
  }

  @Override
  public boolean isShared() {
    return store.isShared();
  }

  @Override
  public boolean isPresent() {
    return store.isPresent();
  }

  @Override
  public int absences() {
    return store.absences();
  }

  @Override
  public InstantSource clock() {
    return store.clock();
  }

  @Override
  public Wakeups wakeups() {
    return store.wakeups();
  }

  @Override
  public List<Outcome> commit(Batch batch) {
    return store.commit(batch);
  }

  @Override
  public int deleteClosed(Instant before, int limit) {
    return store.deleteClosed(before, limit);
  }

  @Override
  public long reserveKeys(int count) {
    return store.reserveKeys(count);
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    return store.claim(claim);
  }

  @Override
  public void tried(UUID node, long run, Trial trial) {
    store.tried(node, run, trial);
  }

  @Override
  public Optional<Instant> nextWake(UUID node, List<String> workflows) {
    return store.nextWake(node, workflows);
  }

  @Override
  public List<Long> runsWithInputs(UUID node, List<String> workflows) {
    return store.runsWithInputs(node, workflows);
  }

  @Override
  public Optional<RunRow> find(String workflowId) {
    return store.find(workflowId);
  }

  @Override
  public List<RunRow> runs(Collection<Long> keys) {
    return store.runs(keys);
  }

  @Override
  public List<RunRow> runsOf(String workflowId) {
    return store.runsOf(workflowId);
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    return store.history(run, fromIndex, limit);
  }

  @Override
  public List<EventRow> eventsOfType(long run, int type) {
    return store.eventsOfType(run, type);
  }

  @Override
  public Optional<EventRow> lastEvent(long run) {
    return store.lastEvent(run);
  }

  @Override
  public Map<Long, List<InputRow>> inputs(Collection<Long> runs) {
    return store.inputs(runs);
  }

  @Override
  public List<InputRow> inputs(long run) {
    return store.inputs(run);
  }

  @Override
  public List<RunRow> list(Filter filter, long beforeKey, int limit) {
    return store.list(filter, beforeKey, limit);
  }

  @Override
  public long count(Filter filter) {
    return store.count(filter);
  }

  @Override
  public Map<String, Long> countBy(Filter filter, Grouping grouping) {
    return store.countBy(filter, grouping);
  }

  @Override
  public List<Inconsistency> inconsistencies(int limit) {
    return store.inconsistencies(limit);
  }

  @Override
  public TaskStore tasks() {
    return store.tasks();
  }

  @Override
  public boolean isInProcess() {
    return store.isInProcess();
  }

  @Override
  public void close() {
    store.close();
  }
}
