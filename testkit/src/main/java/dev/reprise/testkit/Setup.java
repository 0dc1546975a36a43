package dev.reprise.testkit;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.guard.DeterminismGuard;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** How the engines of a test are set up, each in the same way. */
final class Setup {
  private final List<Consumer<Reprise>> settings = new ArrayList<>();
  private final Map<String, Type> outputs = new HashMap<>();
  private Reprise draft = Reprise.inMemory(); // where mistakes show at the line that makes them
  private Codec codec = new JsonCodec();
  private boolean guarded = true;
  private boolean used;

  synchronized void add(Consumer<Reprise> setting) {
    checkOpen();
    setting.accept(draft);
    settings.add(setting);
  }

  synchronized void add(WorkflowDefinition definition) {
    if (guarded) check(definition);
    outputs.put(definition.name(), definition.output());
  }

  private static void check(WorkflowDefinition definition) {
    var found = DeterminismGuard.check(definition.workflow());
    if (found.isEmpty()) return;
    throw new AssertionError(
        "workflow %s may not be the same on replay:%n%s"
            .formatted(definition.name(), found.describe()));
  }

  /** Workflows are not looked at any more. */
  synchronized void unguarded() {
    guarded = false;
  }

  synchronized void codec(Codec next) {
    checkOpen();
    codec = next;
  }

  synchronized void checkOpen() {
    if (!used) return;
    throw new IllegalStateException(
        "this TestEngine is in use: register workflows and activities before the first start, or"
            + " begin a new release with engine.redeploy()");
  }

  /** Sets an engine up; from then on nothing can be changed. */
  synchronized void apply(Reprise reprise) {
    used = true;
    reprise.codec(codec);
    settings.forEach(setting -> setting.accept(reprise));
  }

  synchronized void clear() {
    used = false;
    settings.clear();
    outputs.clear();
    draft = Reprise.inMemory();
  }

  /** Whether there is something to run. */
  synchronized boolean hasWorkflows() {
    return !outputs.isEmpty();
  }

  synchronized Codec codec() {
    return codec;
  }

  /** What a registered workflow returns. */
  synchronized Type output(String workflow) {
    return outputs.getOrDefault(workflow, Object.class);
  }
}
