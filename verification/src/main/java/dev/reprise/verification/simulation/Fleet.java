package dev.reprise.verification.simulation;

import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The processes with engines, which come and go. */
final class Fleet {
  private static final Duration PROMISED = Duration.ofSeconds(5); // after the lease
  private static final long LATEST_NOTICE = 700_000_000; // others are patient for a second
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

  /** A process and the engine in it, which may not have come up yet. */
  static final class Member {
    private final SimulatedProcess process;
    private final Connection connection;
    private final int place;
    private final boolean isClient;
    private @Nullable Engine engine;
    private boolean closing;
    private boolean isGoneForGood;

    private Member(SimulatedProcess process, Connection connection, int place, boolean isClient) {
      this.process = process;
      this.connection = connection;
      this.place = place;
      this.isClient = isClient;
    }

    SimulatedProcess process() {
      return process;
    }

    boolean isClient() {
      return isClient;
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

  void begin() {
    for (int i = 0; i < plan.nodes(); i++) bringUp(i, false);
    for (int i = 0; i < plan.clients(); i++) bringUp(plan.nodes() + i, true);
  }

  /** A process in that place, which has none or a dead one. */
  private void bringUp(int place, boolean isClient) {
    var name = (isClient ? "client" : "node") + place + "." + processes;
    var process = new SimulatedProcess(scheduler, ++processes, name, sabotage);
    var connection = SabotagedConnection.of(process, database, plan, hints, sabotage);
    if (calm) connection.calmDown();
    var member = new Member(process, connection, place, isClient);
    if (place < members.size()) members.set(place, member);
    else members.add(member);
    process.whenDead(() -> restartLater(place, member));
    trace.log("%s begins", name);
    process.begin("main", () -> open(member));
  }

  private void open(Member member) {
    for (; ; ) {
      try {
        member.engine = member.isClient ? client(member) : engine(member);
        trace.log("%s is up", member.process);
        return;
      } catch (RepriseException away) {
        member.process.sleep(BETWEEN_ATTEMPTS);
      }
    }
  }

  private Engine engine(Member member) {
    var work = new Work(member.process, effects);
    var settings = settings(member).activities(work).loopLimit(LOOP_LIMIT);
    settings.workflow(new Play(work)).workflow(new Poison(work));
    if (isAwayAt(member.place)) settings.workflow(new Away(work));
    return settings.start();
  }

  /** Some nodes do not have all code; what may be lost must be elsewhere, too. */
  private boolean isAwayAt(int place) {
    return place > 0 || plan.nodes() == 1 || (plan.loss() && plan.nodes() == 2);
  }

  private Engine client(Member member) {
    return settings(member).client();
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
    scheduler.after(pause, () -> bringUp(place, dead.isClient));
  }

  /**
   * One engine is gone for good, or stands still for ever, when there is no other trouble: then the
   * others have its runs within the time that was promised.
   */
  void loseOne() {
    if (plan.nodes() < 2 || plan.poison()) return;
    var member = members.get(scheduler.random().nextInt(plan.nodes()));
    if (!member.isUp()) return;
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
          if (members.get(place) == member) bringUp(place, member.isClient);
        });
  }

  /** No more trouble: who stands still goes on. */
  void calmDown() {
    calm = true;
    hints.calmDown();
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
