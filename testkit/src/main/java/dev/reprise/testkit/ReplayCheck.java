package dev.reprise.testkit;

import dev.reprise.Handle;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.archive.History;
import dev.reprise.engine.archive.HistoryJson;
import dev.reprise.engine.archive.UnreadableHistory;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.gate.GateReport;
import dev.reprise.engine.gate.ReplayGate;
import dev.reprise.engine.replay.Rehearsal;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.replay.Verdict;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Checks whether workflow code follows a history that was recorded earlier, perhaps by older code.
 *
 * <pre>{@code
 * ReplayCheck.replay(Path.of("order-7.json"), new Checkout(payments, inventory));
 * }</pre>
 *
 * <p>The code runs as in an engine, but nothing is written, no activity is called and no time
 * passes. A closed run must end as it did. An open one must come to the end of its history; what it
 * would do then is not checked. Histories come from {@code reprise history ID --json} or {@link
 * #download}; or they are those of a whole database, as in {@code reprise replay-check}:
 *
 * <pre>{@code
 * new ReplayCheck().workflow(new Checkout(payments, inventory)).replayDatabase(url);
 * }</pre>
 */
public final class ReplayCheck {
  private static final Duration PATIENCE = Duration.ofSeconds(10); // as an engine has, see R110

  private final Map<String, WorkflowDefinition> workflows = new LinkedHashMap<>();
  private Codec codec = new JsonCodec();
  private Duration patience = PATIENCE;
  private int sample = ReplayGate.SAMPLE;

  // ---- one workflow -----------------------------------------------------------------------------

  /**
   * Fails unless the workflow follows the history.
   *
   * @throws AssertionError with what was recorded and what the code does now, both with their lines
   * @throws UnreadableHistory if that is no history
   */
  public static void replay(String historyJson, Workflow<?, ?> workflow) {
    new ReplayCheck().workflow(workflow).replay(historyJson);
  }

  /** The same for a history in a file. */
  public static void replay(Path history, Workflow<?, ?> workflow) {
    new ReplayCheck().workflow(workflow).replay(history);
  }

  /** Whether the workflow follows the history. */
  public static Verdict check(String historyJson, Workflow<?, ?> workflow) {
    return new ReplayCheck().workflow(workflow).check(historyJson);
  }

  /** The same for a history in a file. */
  public static Verdict check(Path history, Workflow<?, ?> workflow) {
    return new ReplayCheck().workflow(workflow).check(history);
  }

  /** The history of a run, to be kept in a file. */
  public static String download(Handle<?> run) {
    return HistoryJson.write(History.of(run.describe(), run.history()));
  }

  // ---- several ----------------------------------------------------------------------------------

  /** Adds a workflow under the name of its class. */
  public ReplayCheck workflow(Workflow<?, ?> workflow) {
    return add(WorkflowDefinition.of(workflow));
  }

  /** Adds a workflow, for example a lambda, under a name and with types. */
  public <I, O> ReplayCheck workflow(
      String name, Class<I> input, Class<O> output, Workflow<I, O> workflow) {
    return add(WorkflowDefinition.of(name, input, output, workflow));
  }

  /** Adds a workflow with generic types. */
  public ReplayCheck workflow(String name, Type input, Type output, Workflow<?, ?> workflow) {
    return add(WorkflowDefinition.of(name, input, output, workflow));
  }

  private ReplayCheck add(WorkflowDefinition definition) {
    if (workflows.putIfAbsent(definition.name(), definition) != null) {
      throw new IllegalArgumentException("two workflows are named '" + definition.name() + "'");
    }
    return this;
  }

  /** How values were written; JSON by default. */
  public ReplayCheck codec(Codec codec) {
    this.codec = codec;
    return this;
  }

  /** How long the code may run without calling its context; 10 s by default. */
  public ReplayCheck patience(Duration patience) {
    this.patience = patience;
    return this;
  }

  /** Fails unless the workflow of this history follows it. */
  public void replay(String historyJson) {
    require(read(historyJson));
  }

  /** Fails unless the workflow of the history in this file follows it. */
  public void replay(Path history) {
    require(read(history));
  }

  /** Whether the workflow of this history follows it. */
  public Verdict check(String historyJson) {
    return check(read(historyJson));
  }

  /** Whether the workflow of the history in this file follows it. */
  public Verdict check(Path history) {
    return check(read(history));
  }

  // ---- a database -------------------------------------------------------------------------------

  /** How many closed runs of each workflow of a database are checked; 100 by default. */
  public ReplayCheck sample(int runs) {
    this.sample = runs;
    return this;
  }

  /**
   * Fails unless the workflows follow all their open runs in a database, and the newest of those
   * that are closed. The database is only read, and engines may use it meanwhile.
   *
   * @throws AssertionError with what was recorded and what the code does now, workflow by workflow
   */
  public GateReport replayDatabase(String url) {
    var report = checkDatabase(url);
    if (!report.follows()) throw new AssertionError(report.text());
    return report;
  }

  /** Whether the workflows follow their runs in a database, which is only read. */
  public GateReport checkDatabase(String url) {
    try (var store = Reprise.open(url, new StoreProvider.Options(false, true))) {
      return checkDatabase(store, (_, _) -> {});
    }
  }

  /** The same in a store that is open, and tells the verdict of each run. */
  public GateReport checkDatabase(Store store, BiConsumer<RunRow, Verdict> verdicts) {
    return new ReplayGate(workflows.values(), new Values(codec))
        .sample(sample)
        .patience(patience)
        .onVerdict(verdicts)
        .check(store);
  }

  // ---- how --------------------------------------------------------------------------------------

  private static History read(String json) {
    return HistoryJson.read(json);
  }

  private static History read(Path file) {
    try {
      return HistoryJson.read(Files.readString(file));
    } catch (UnreadableHistory wrong) {
      throw new IllegalArgumentException(file + " is " + wrong.getMessage(), wrong);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void require(History history) {
    switch (check(history)) {
      case Verdict.Follows _ -> {}
      case Verdict.Departs(_, var reason, var mistake) -> throw new AssertionError(reason, mistake);
      case Verdict.Hangs(var reason, var where) -> throw new AssertionError(reason, where);
    }
  }

  private Verdict check(History history) {
    var definition = workflows.get(history.run().workflow());
    if (definition == null) {
      throw new IllegalArgumentException(
          "this is the history of '%s', a '%s', and the workflows here are %s"
              .formatted(history.run().workflowId(), history.run().workflow(), workflows.keySet()));
    }
    try {
      return new Rehearsal(history.run(), history.events(), definition, settings()).play(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a history was replayed", e);
    }
  }

  private RunSettings settings() {
    return new RunSettings(
        new Values(codec), ActivityRegistry.ofStandIns(), RetryPolicy.defaults());
  }
}
