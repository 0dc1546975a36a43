package dev.reprise.engine.gate;

import dev.reprise.ListQuery;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.replay.Rehearsal;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.replay.Verdict;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Runs workflow code along the histories of a database: those of all open runs, and of some closed
 * ones. Nothing is written, and no activity is called, so this may be done beside the engines.
 *
 * <p>At any time one history is in memory, and a page of rows.
 */
public final class ReplayGate {
  /** How many closed runs of a workflow are checked if nobody says otherwise. */
  public static final int SAMPLE = 100;

  /** The most that can be asked for: what a store lists at once. */
  public static final int MAX_SAMPLE = 1_000;

  private static final Duration PATIENCE = Duration.ofSeconds(10); // as an engine has, see R110
  private static final int PAGE = 100;

  private final Map<String, WorkflowDefinition> byName = new HashMap<>();
  private final RunSettings settings;
  private final Map<String, Tally> tallies = new TreeMap<>();
  private Set<String> only = Set.of();
  private int sample = SAMPLE;
  private Duration patience = PATIENCE;
  private BiConsumer<RunRow, Verdict> listener = (_, _) -> {};
  private volatile Progress progress = new Progress(0, 0);

  /**
   * How far a check is.
   *
   * @param runs how many have been checked
   * @param departed how many of them the code does not follow
   */
  public record Progress(long runs, long departed) {}

  /**
   * @param workflows the code to check
   * @param values how values were written
   */
  public ReplayGate(Collection<WorkflowDefinition> workflows, Values values) {
    for (var workflow : workflows) {
      workflow.formerNames().forEach(former -> byName.putIfAbsent(former, workflow));
    }
    for (var workflow : workflows) byName.put(workflow.name(), workflow);
    this.settings = new RunSettings(values, ActivityRegistry.ofStandIns(), RetryPolicy.defaults());
  }

  /** The names of the workflows that it has code for. */
  public Set<String> workflows() {
    return Set.copyOf(byName.values().stream().map(WorkflowDefinition::name).toList());
  }

  /** Checks only these workflows; all if none is given. */
  public ReplayGate only(Collection<String> workflows) {
    this.only = Set.copyOf(workflows);
    return this;
  }

  /** How many closed runs of each workflow are checked, the newest; 100 by default. */
  public ReplayGate sample(int runs) {
    if (runs < 0 || runs > MAX_SAMPLE) {
      throw new IllegalArgumentException("not in 0..%d: %d".formatted(MAX_SAMPLE, runs));
    }
    this.sample = runs;
    return this;
  }

  /** How long the code may run without calling its context; 10 s by default. */
  public ReplayGate patience(Duration patience) {
    this.patience = patience;
    return this;
  }

  /** Is told the verdict of each run. */
  public ReplayGate onVerdict(BiConsumer<RunRow, Verdict> listener) {
    this.listener = listener;
    return this;
  }

  /** How far it is, for any thread. */
  public Progress progress() {
    return progress;
  }

  /** Checks. Called once, by a thread that may read the store. */
  public GateReport check(Store store) {
    for (var workflow : byName.values()) {
      if (isWanted(workflow.name())) tally(workflow.name(), true);
    }
    for (var status : Status.values()) {
      if (!status.isClosed()) queries(status).forEach(query -> open(store, query));
    }
    byName.keySet().stream().sorted().filter(this::isWanted).forEach(name -> closed(store, name));
    return new GateReport(tallies.values().stream().map(Tally::report).toList());
  }

  private boolean isWanted(String recordedName) {
    var definition = byName.get(recordedName);
    return only.isEmpty() || (definition != null && only.contains(definition.name()));
  }

  private Stream<ListQuery> queries(Status status) {
    var all = ListQuery.all().with(status).limit(PAGE);
    if (only.isEmpty()) return Stream.of(all);
    return byName.keySet().stream().sorted().filter(this::isWanted).map(all::of);
  }

  /** Page by page, the newest first. */
  private void open(Store store, ListQuery query) {
    var filter = Filter.of(query, Instant.EPOCH); // it says nothing about the time
    long before = Long.MAX_VALUE;
    List<RunRow> page;
    do {
      page = store.list(filter, before, PAGE);
      for (var run : page) check(store, run);
      if (!page.isEmpty()) before = page.getLast().key();
    } while (page.size() == PAGE);
  }

  private void closed(Store store, String name) {
    if (sample == 0) return;
    var runs = new ArrayList<RunRow>();
    for (var status : Status.values()) {
      if (status.isClosed()) {
        var filter = Filter.of(ListQuery.all().with(status).of(name), Instant.EPOCH);
        runs.addAll(store.list(filter, Long.MAX_VALUE, sample));
      }
    }
    runs.sort(Comparator.comparingLong(RunRow::key).reversed());
    runs.stream().limit(sample).forEach(run -> check(store, run));
  }

  private void check(Store store, RunRow run) {
    var definition = byName.get(run.workflow());
    var name = definition == null ? run.workflow() : definition.name();
    var tally = tally(name, definition != null);
    if (definition == null || !tally.goesOn()) {
      tally.skip();
      return;
    }
    var history = Rehearsal.played(store, run);
    if (history.isEmpty()) return; // deleted meanwhile
    var verdict = play(run, history, definition);
    tally.add(run, history, verdict);
    listener.accept(run, verdict);
    boolean follows = verdict instanceof Verdict.Follows;
    progress = new Progress(progress.runs() + 1, progress.departed() + (follows ? 0 : 1));
  }

  private Tally tally(String workflow, boolean known) {
    return tallies.computeIfAbsent(workflow, name -> new Tally(name, known));
  }

  private Verdict play(RunRow run, List<EventRow> history, WorkflowDefinition definition) {
    try {
      return new Rehearsal(run, history, definition, settings).play(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a history was replayed", e);
    }
  }
}
