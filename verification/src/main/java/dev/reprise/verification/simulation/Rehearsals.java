package dev.reprise.verification.simulation;

import dev.reprise.RetryPolicy;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.replay.Rehearsal;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.replay.Verdict;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Replays, from the first event to the last, what many engines have written by turns: the code must
 * follow it as if it had run through.
 */
final class Rehearsals {
  private static final int MOST_STEPS = 20_000;

  private final Scheduler scheduler;
  private final SimulatedProcess process;
  private final Map<String, WorkflowDefinition> definitions = new HashMap<>();
  private final RunSettings settings;

  /** After all other processes have ended. */
  Rehearsals(Scheduler scheduler, SimulatedProcess process, Effects effects) {
    this.scheduler = scheduler;
    this.process = process;
    var work = new Work(process, effects);
    var jobs = new JobWork(process, effects);
    for (var workflow : List.of(new Play(work, jobs), new Away(work, jobs))) {
      var definition = WorkflowDefinition.of(workflow);
      definitions.put(definition.name(), definition);
    }
    this.settings =
        new RunSettings(
            new Values(new JsonCodec()),
            new ActivityRegistry(List.of(work, jobs)),
            RetryPolicy.defaults(),
            process,
            null,
            Fleet.LOOP_LIMIT);
  }

  /** What is wrong with it, or null. */
  @Nullable String problem(RunRow row, List<EventRow> history) {
    var definition = Objects.requireNonNull(definitions.get(row.workflow()));
    var verdict = new AtomicReference<Verdict>();
    process.begin(
        "rehearsal",
        () -> {
          var rehearsal = new Rehearsal(row, history, definition, settings);
          var _ = rehearsal.begin().thenAccept(verdict::set);
        });
    for (int i = 0; verdict.get() == null && i < MOST_STEPS; i++) scheduler.step();
    return switch (verdict.get()) {
      case null -> "does not come to the end of its own history";
      case Verdict.Follows _ -> null;
      case Verdict.Departs departs -> "does not follow its own history: " + departs.reason();
      case Verdict.Hangs hangs -> "hangs in its own history: " + hangs;
    };
  }
}
