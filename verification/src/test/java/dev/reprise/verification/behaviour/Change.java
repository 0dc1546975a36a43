package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import java.util.List;

/**
 * Code that is changed while it has an open run: the old code runs until it waits for a signal,
 * then the new code gets the run, and then the old one again.
 */
final class Change {
  static final Signal<String> WORD = Signal.of("word", String.class);

  private static final String WALKED = "walked ";

  /** The last recorded call of the old code, and the call at which the new one differs. */
  final Line recorded = new Line();

  final Line now = new Line();
  final Calls calls = new Calls();
  private final World world;

  Change(World world) {
    this.world = world;
  }

  /** The activity of all these workflows. */
  String act(String what) {
    return calls.returning(what, what);
  }

  /** How the old code ends. */
  static String end(Context ctx) {
    return WALKED + ctx.receive(WORD);
  }

  Engine open(Workflow<String, String> code) {
    return world.open(
        r ->
            r.workflow("code", String.class, String.class, code)
                .workflow("echo", String.class, String.class, (_, in) -> in));
  }

  /** Why the new code is blocked, after everything else that must hold then was checked. */
  String blockedBy(Workflow<String, String> old, Workflow<String, String> changed) {
    record(old);
    var history = world.stored("w");
    var before = calls.all();

    var engine = open(changed);
    engine.signal("w", WORD, "go");
    awaitStatus(engine, "w", Status.BLOCKED);

    var reason = engine.describe("w").blockedBy();
    assertThat(engine.history("w")).as("history").isEqualTo(history);
    assertThat(calls.all()).as("activities").isEqualTo(before);
    assertThatThrownBy(() -> result(engine, "w"))
        .isInstanceOfSatisfying(
            WorkflowBlocked.class, e -> assertThat(e.reason()).isEqualTo(reason));
    assertThat(result(engine.start("echo", "e", "others go on"))).isEqualTo("others go on");
    world.crash();
    assertMended(old, before);
    return reason;
  }

  /** Runs the code until it waits for nothing but a signal. */
  void record(Workflow<String, String> code) {
    var handle = open(code).start("code", "w", "");
    for (var due = world.settle(handle); due != null; due = world.settle(handle)) {
      world.time().advanceTo(due);
    }
    world.crash();
  }

  private void assertMended(Workflow<String, String> old, List<String> before) {
    var engine = open(old);
    assertThat(engine.describe("w").status()).isEqualTo(Status.BLOCKED);
    engine.resume("w");

    assertThat(result(engine, "w")).isEqualTo(WALKED + "go");
    assertThat(calls.all()).as("activities").isEqualTo(before);
  }

  /** The message has both calls, each with its line. */
  void assertBothSides(String reason, String recordedCall, String newCall) {
    assertThat(recorded).asString().isNotEqualTo(now.toString());
    assertThat(reason).startsWith("R101 workflow 'w' (code, run ");
    assertThat(reason.lines().filter(line -> line.contains("recorded as #")))
        .singleElement()
        .asString()
        .contains(": " + recordedCall)
        .endsWith(" at " + recorded);
    assertThat(reason.lines().filter(line -> line.contains("the code now:")))
        .singleElement()
        .asString()
        .contains(newCall)
        .contains(" at " + now);
  }
}
