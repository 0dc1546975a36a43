package dev.reprise.verification.simulation;

import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.task.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The processes with engines, which come and go. */
final class Fleet {
  private static final Duration PROMISED = Duration.ofSeconds(5); // after the lease
  private static final long LATEST_NOTICE = 700_000_000; // others are patient for a second
  private static final long LONGEST_PAUSE = 500_000_000;
  private static final int READINGS_AT_START = 5; // an engine that starts sets its clock by two
  private static final int READINGS = 100;
  static final int LOOP_LIMIT = 6; // events, then a loop goes on with a new run

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(300);

  private final Scheduler scheduler;
  private final Database database;
  private final Hints hints;
  private final Plan plan;
  private final Sabotage sabotage;
  private final Effects effects;
  private final Trace trace;
  private final List<Member> members = new ArrayList<>();
  private int processes;
  private boolean calm;
  private boolean ended;

  /** What an engine is there for. */
  private enum Role {
    NODE,
    CLIENT,
    WORKER
  }

  /** A process and the engine in it, which may not have come up yet. */
  static final class Member {
    private final SimulatedProcess process;
    private final Connection connection;
    private final int place;
    private final Role role;
    private final List<Worker> workers = new ArrayList<>();
    private @Nullable Engine engine;
    private boolean closing;
    private boolean isGoneForGood;

    private Member(SimulatedProcess process, Connection connection, int place, Role role) {
      this.process = process;
      this.connection = connection;
      this.place = place;
      this.role = role;
    }

    SimulatedProcess process() {
      return process;
    }

    /** Whether it has no code of workflows. */
    boolean isClient() {
      return role != Role.NODE;
    }

    boolean isUp() {
      return engine != null && !process.isDead() && !closing && !isGoneForGood;
    }
  }

  Fleet(
      Scheduler scheduler,
      Database database,
      Hints hints,
      Plan plan,
      Sabotage sabotage,
      Trace trace) {
    this.scheduler = scheduler;
    this.database = database;
    this.hints = hints;
    this.plan = plan;
    this.sabotage = sabotage;
    this.trace = trace;
    this.effects = new Effects(database, trace);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** Whether the trouble is over. */
  boolean isCalm() {
    return calm;
  }

  void begin() {
    int place = 0;
    for (int i = 0; i < plan.nodes(); i++) bringUp(place++, Role.NODE);
    for (int i = 0; i < plan.clients(); i++) bringUp(place++, Role.CLIENT);
    for (int i = 0; i < plan.workers(); i++) bringUp(place++, Role.WORKER);
  }

  /** A process in that place, which has none or a dead one. */
  private void bringUp(int place, Role role) {
    var name = role.name().toLowerCase(Locale.ROOT) + place + "." + processes;
    var process = new SimulatedProcess(scheduler, ++processes, name, sabotage);
    var connection = SabotagedConnection.of(process, database, plan, hints, sabotage);
    if (calm) connection.calmDown();
    var member = new Member(process, connection, place, role);
    if (place < members.size()) members.set(place, member);
    else members.add(member);
    process.whenDead(() -> restartLater(place, member));
    if (scheduler.random().nextInt(10) < plan.pauses()) pause(member, READINGS_AT_START);
    trace.log("%s begins", name);
    process.begin("main", () -> open(member));
  }

  private void open(Member member) {
    for (; ; ) {
      try {
        var engine =
            switch (member.role) {
              case NODE -> node(member);
              case CLIENT -> settings(member).client();
              case WORKER ->
                  settings(member).activities(new JobWork(member.process, effects)).start();
            };
        for (int i = 0; i < Terms.QUEUES; i++) if (isServedBy(member, i)) serve(member, engine, i);
        member.engine = engine;
        trace.log("%s is up", member.process);
        return;
      } catch (RepriseException away) {
        member.process.sleep(BETWEEN_ATTEMPTS);
      }
    }
  }

  private Engine node(Member member) {
    var work = new Work(member.process, effects);
    var jobs = new JobWork(member.process, effects);
    var settings = settings(member).activities(work, jobs).loopLimit(LOOP_LIMIT);
    settings.workflow(new Play(work, jobs)).workflow(new Poison(work));
    if (isAwayAt(member.place)) settings.workflow(new Away(work, jobs));
    return settings.start();
  }

  /** Every queue is served somewhere, but not everywhere if there are processes for that. */
  private boolean isServedBy(Member member, int queue) {
    return switch (member.role) {
      case NODE -> plan.workers() == 0 || (member.place + queue) % 2 == 0;
      case CLIENT -> false;
      case WORKER -> true;
    };
  }

  private void serve(Member member, Engine engine, int queue) {
    member.workers.add(engine.worker(Terms.queue(queue), 1 + scheduler.random().nextInt(4)));
  }

  /** Some nodes do not have all code; what may be lost must be elsewhere, too. */
  private boolean isAwayAt(int place) {
    return place > 0 || plan.nodes() == 1 || (plan.loss() && plan.nodes() == 2);
  }

  private Reprise settings(Member member) {
    return Reprise.on(member.connection)
        .machine(member.process)
        .lease(plan.lease())
        .callTimeout(plan.callTimeout())
        .shutdownGrace(Duration.ofSeconds(1))
        .activeRuns(plan.activeRuns())
        .memoryBudget(plan.memoryBudget());
  }

  // ---- using it

  /** One of the members that are up, or none. */
  @Nullable Member any() {
    var up = members.stream().filter(Member::isUp).toList();
    return up.isEmpty() ? null : up.get(scheduler.random().nextInt(up.size()));
  }

  /** Does something with an engine, on a thread of its process. */
  void ask(Member member, Consumer<Engine> question) {
    var engine = member.engine;
    if (engine != null) member.process.begin("caller", () -> question.accept(engine));
  }

  // ---- what happens to it

  void crashOne() {
    var member = members.get(scheduler.random().nextInt(members.size()));
    soonOrWhenCommitting(member, () -> crash(member));
  }

  /** Half of the trouble comes at the worst of times. */
  private void soonOrWhenCommitting(Member member, Runnable trouble) {
    if (scheduler.random().nextBoolean()) trouble.run();
    else member.connection.whenCommitting(trouble);
  }

  private void crash(Member member) {
    if (member.process.isDead() || calm) return;
    trace.log("%s crashes", member.process);
    database.auditor().count("crashes");
    member.process.kill();
  }

  private void restartLater(int place, Member dead) {
    if (ended || dead.isGoneForGood || !dead.equals(members.get(place))) return;
    long pause = scheduler.random().nextLong(2_000_000_000);
    scheduler.after(pause, () -> bringUp(place, dead.role));
  }

  /**
   * One engine is gone for good, or stands still for ever, when there is no other trouble: then the
   * others have its runs within the time that was promised.
   */
  void loseOne() {
    if (plan.nodes() < 2 || plan.poison()) return;
    var member = members.get(scheduler.random().nextInt(plan.nodes()));
    long others = members.stream().filter(other -> !other.isClient() && other.isUp()).count();
    if (!member.isUp() || others < 2) return; // one must be there who notices
    database.auditor().count("engines lost in the calm");
    member.isGoneForGood = true;
    boolean dies = scheduler.random().nextBoolean();
    trace.log("%s %s for good", member.process, dies ? "dies" : "freezes");
    if (dies) member.process.kill();
    else member.process.freeze();
    scheduler.after(
        plan.lease().toNanos() + PROMISED.toNanos(),
        () -> database.expectTakenOver(member.process));
  }

  void freezeOne() {
    var member = members.get(scheduler.random().nextInt(members.size()));
    soonOrWhenCommitting(member, () -> freeze(member));
  }

  private void freeze(Member member) {
    if (member.process.isDead() || member.process.isFrozen() || calm) return;
    long nanos = scheduler.random().nextLong(plan.lease().toNanos() * 3);
    trace.log("%s freezes for %d ms", member.process, nanos / 1_000_000);
    database.auditor().count("freezes");
    member.process.freeze();
    scheduler.after(nanos, () -> thaw(member));
  }

  void pauseOne() {
    var member = members.get(scheduler.random().nextInt(members.size()));
    if (!member.process.isDead()) pause(member, READINGS);
  }

  /** A thread stands still between two readings of clocks, one of the next ones. */
  private void pause(Member member, int within) {
    if (calm) return;
    int reading = 1 + scheduler.random().nextInt(within);
    long nanos = scheduler.random().nextLong(LONGEST_PAUSE);
    member.process.standStill(
        reading,
        nanos,
        () -> {
          trace.log("%s stood still for %d ms", member.process, nanos / 1_000_000);
          database.auditor().count("pauses before a clock was read");
        });
  }

  private void thaw(Member member) {
    if (!member.process.isFrozen() || member.isGoneForGood) return;
    trace.log("%s goes on", member.process);
    member.process.thaw();
  }

  /** The database cannot see a process for a while, which notices that a little later. */
  void loseSightOfOne() {
    var member = members.get(scheduler.random().nextInt(members.size()));
    var random = scheduler.random();
    long gone = 20_000_000 + random.nextLong(3_000_000_000L);
    trace.log("%s cannot be seen for %d ms", member.process, gone / 1_000_000);
    database.auditor().count("absences");
    database.loseSightOf(member.process, scheduler.now() + gone);
    long back = scheduler.now() + gone + random.nextLong(300_000_000);
    scheduler.after(random.nextLong(LATEST_NOTICE), () -> member.connection.lost(back));
  }

  void evictOne(String workflowId) {
    var member = any();
    if (member == null) return;
    database.auditor().count("evictions asked for");
    ask(member, engine -> engine.evict(workflowId));
  }

  /** Closes one in good order, and brings up the next. */
  void restartOne() {
    int place = scheduler.random().nextInt(members.size());
    var member = members.get(place);
    var engine = member.engine;
    if (!member.isUp() || engine == null) return;
    trace.log("%s closes", member.process);
    database.auditor().count("restarts in good order");
    member.closing = true;
    member.process.begin(
        "closing",
        () -> {
          engine.close();
          trace.log("%s is closed", member.process);
          if (members.get(place) == member) bringUp(place, member.role);
        });
  }

  /** Closes a worker in good order, while its engine goes on, and serves the queue again. */
  void closeWorker() {
    var member = any();
    if (member == null || member.workers.isEmpty() || member.engine == null) return;
    var engine = member.engine;
    var worker = member.workers.remove(scheduler.random().nextInt(member.workers.size()));
    trace.log("%s closes its worker of %s", member.process, worker.queue());
    database.auditor().count("workers closed in good order");
    var grace = Duration.ofMillis(scheduler.random().nextInt(300));
    member.process.begin(
        "closing",
        () -> {
          worker.close(grace);
          trace.log("%s has closed its worker of %s", member.process, worker.queue());
          if (member.isUp()) member.workers.add(engine.worker(worker.queue(), 2));
        });
  }

  /** What happens to activities on queues. */
  JobEffects jobs() {
    return effects.jobs();
  }

  /** No more trouble: who stands still goes on. */
  void calmDown() {
    calm = true;
    hints.calmDown();
    effects.jobs().calmDown();
    for (var member : members) {
      member.connection.calmDown();
      thaw(member);
    }
  }

  /** Ends everything, as when the power fails. */
  void end() {
    ended = true;
    members.forEach(member -> member.process.kill());
  }
}
