package dev.reprise.verification.simulation;

import dev.reprise.engine.store.RunRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One simulation, from its seed to the verdict. */
final class Simulation {
  private static final Duration PATIENCE = Duration.ofSeconds(150); // after the trouble is over
  private static final Duration LOSS = Duration.ofSeconds(2); // after that
  private static final long MOST_STEPS = 400_000;

  private final long seed;
  private final Trace trace;
  private final Scheduler scheduler;
  private final Plan plan;
  private final Auditor auditor;
  private final DatabaseTime time;
  private final Database database;
  private final Fleet fleet;
  private final SimulatedProcess outside;
  private final Asker asker;
  private final Callers callers;
  private final Visitors visitors;
  private final Outsiders outsiders;
  private final List<String> workflows = new ArrayList<>();
  private long steps;

  /**
   * What came of a simulation.
   *
   * @param digest equal for equal simulations
   * @param steps pieces of work that were done
   * @param nanos how long it was, by its own clock
   * @param violations of what must hold
   * @param counts how often things happened
   * @param log what happened, if it was wanted
   */
  record Report(
      long seed,
      long digest,
      long steps,
      long nanos,
      List<String> violations,
      Map<String, Long> counts,
      List<String> log) {}

  private Simulation(long seed, Sabotage sabotage, boolean wantsLog) {
    this.seed = seed;
    this.trace = new Trace(wantsLog);
    this.scheduler = new Scheduler(seed);
    trace.clock(scheduler::now);
    this.plan = Plan.draw(scheduler.random());
    this.auditor = new Auditor(trace);
    this.time = new DatabaseTime(scheduler);
    this.database = SabotagedDatabase.of(scheduler, time, auditor, sabotage);
    var hints = new Hints(scheduler, auditor, plan);
    this.fleet = new Fleet(scheduler, database, hints, plan, sabotage, trace);
    this.outside = new SimulatedProcess(scheduler, 0, "outside", sabotage);
    this.asker = new Asker(outside, fleet, auditor, plan.callTimeout(), trace);
    this.callers = new Callers(outside, fleet, auditor, asker);
    this.visitors = new Visitors(outside, fleet, auditor, asker, callers);
    this.outsiders = new Outsiders(outside, fleet, auditor, asker, callers);
    fleet.jobs().outsiders(outsiders);
  }

  /** Plays the simulation of that seed. */
  static Report play(long seed, Sabotage sabotage, boolean wantsLog) {
    return new Simulation(seed, sabotage, wantsLog).play();
  }

  private Report play() {
    trace.log("%s", plan);
    fleet.begin();
    for (int i = 0; i < plan.workflows(); i++) {
      workflows.add("w" + i);
      callers.take("w" + i);
      visitors.visit("w" + i);
    }
    visitors.mend();
    if (plan.limits()) outsiders.limit();
    if (plan.poison()) callers.poison("poison");
    planTrouble();
    scheduler.after(plan.trouble().toNanos(), this::calmDown);
    try {
      run();
    } finally {
      fleet.end();
      outside.kill();
    }
    var stage = new SimulatedProcess(scheduler, -1, "rehearsal", Sabotage.NONE);
    var rehearsals = new Rehearsals(scheduler, stage, new Effects(database, trace));
    new Judge(database, auditor, rehearsals, asker.calls()).judge(workflows, visitors.forks());
    if (trace.isWanted()) database.runs(auditor.histories().keySet()).forEach(this::logHistory);
    return new Report(
        seed,
        scheduler.digest(),
        steps,
        scheduler.now(),
        auditor.violations(),
        auditor.counts(),
        trace.lines());
  }

  private void logHistory(RunRow row) {
    trace.log("%s: %s", row.workflowId(), row);
    for (var event : database.history(row.key())) {
      trace.log("  %s %s", row.workflowId(), event.recorded());
    }
  }

  private void run() {
    long end = plan.trouble().plus(PATIENCE).toNanos();
    while (!callers.areDone() || isAnyOpen()) {
      if (!scheduler.step()) {
        auditor.violation("nothing happens any more, and not all callers have been told");
        return;
      }
      if (++steps > MOST_STEPS || scheduler.now() > end) {
        auditor.violation(
            callers.areDone()
                ? "runs or activities are open for ever: " + openForEver()
                : "not all callers have been told long after the trouble was over");
        return;
      }
    }
  }

  private String openForEver() {
    var tasks = auditor.tasks().all().stream().filter(t -> t.state != WatchedTask.State.ENDED);
    return tasks.toList() + " " + database.runs(auditor.open());
  }

  /** A poisoned run stays where it is; children that were left alone come to their end. */
  private boolean isAnyOpen() {
    return auditor.open().size() > (plan.poison() ? 1 : 0) || auditor.tasks().open() > 0;
  }

  // ---- trouble

  private void planTrouble() {
    often(plan.crashes(), fleet::crashOne);
    often(plan.freezes(), fleet::freezeOne);
    often(plan.pauses(), fleet::pauseOne);
    often(plan.absences(), fleet::loseSightOfOne);
    often(plan.restarts(), fleet::restartOne);
    often(plan.evictions(), () -> fleet.evictOne(oneOf(workflows)));
    often(plan.closings(), fleet::closeWorker);
    often(plan.outages(), this::outage);
    often(plan.misreads(), database::misreadNext);
    often(plan.clockJumps(), this::jump);
  }

  private void often(int times, Runnable trouble) {
    for (int i = 0; i < times; i++) {
      scheduler.after(scheduler.random().nextLong(plan.trouble().toNanos()), trouble);
    }
  }

  private String oneOf(List<String> ids) {
    return ids.get(scheduler.random().nextInt(ids.size()));
  }

  private void outage() {
    trace.log("the database goes down");
    auditor.count("outages");
    database.stop();
    scheduler.after(
        scheduler.random().nextLong(2_500_000_000L),
        () -> {
          trace.log("the database is back");
          database.restart();
        });
  }

  private void jump() {
    var random = scheduler.random();
    var by = Duration.ofMillis(random.nextInt(-20_000, 3_600_000));
    trace.log("the clock jumps by %s", by);
    time.jump(by);
    auditor.clockJumped();
  }

  private void calmDown() {
    trace.log("the trouble is over");
    database.restart();
    fleet.calmDown();
    if (plan.loss()) scheduler.after(LOSS.toNanos(), fleet::loseOne);
  }
}
