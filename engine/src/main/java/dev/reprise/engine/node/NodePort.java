package dev.reprise.engine.node;

import dev.reprise.RepriseException;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.journal.Lease;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the runs of a node have of it. */
final class NodePort implements RunPort {
  private static final RunChange NOTHING = new RunChange.None();

  private final Node node;
  private final Time time;
  private final Timers timers;
  private final Journal journal;
  private final Lease lease;
  private final ParkedRuns parked;
  private final Recovery recovery;
  private final Intake intake;
  private final Results results;
  private final RunLog log;

  NodePort(
      Node node,
      Time time,
      Timers timers,
      Journal journal,
      Lease lease,
      ParkedRuns parked,
      Recovery recovery,
      Intake intake,
      Results results) {
    this.node = node;
    this.time = time;
    this.timers = timers;
    this.journal = journal;
    this.lease = lease;
    this.parked = parked;
    this.recovery = recovery;
    this.intake = intake;
    this.results = results;
    this.log = new RunLog(node.machine());
  }

  @Override
  public Instant now() {
    return time.now();
  }

  @Override
  public Ticket append(Transition transition) {
    return journal.append(transition);
  }

  @Override
  public Ticket appendAwaited(Transition transition) {
    return journal.appendAwaited(transition);
  }

  @Override
  public Timer at(Instant due, Runnable action) {
    return timers.at(due, action);
  }

  /** Frozen or cut off for a while, the node may have been fenced: a commit tells. */
  @Override
  public void beforeEffect(LiveRun run) {
    while (!lease.isHeld()) {
      journal.append(new Transition.Append(run.row().key(), List.of(), List.of(), NOTHING)).await();
    }
  }

  @Override
  public void parked(LiveRun run) {
    if (node.trials().stood(run.row().key())) recovery.soon();
    parked.add(run).forEach(node::evict);
    leave(run);
  }

  @Override
  public void woken(LiveRun run) {
    parked.remove(run);
    node.admission().enter(run);
  }

  @Override
  public void fetchInputs(LiveRun run) {
    recovery.fetchInputs(run);
  }

  @Override
  public CompletableFuture<Boolean> startChild(
      LiveRun run, ChildStarted child, @Nullable Ticket asked) {
    return intake.startChild(run.row(), child, asked);
  }

  @Override
  public void delivered(List<Delivery> deliveries) {
    intake.delivered(deliveries);
  }

  @Override
  public void scheduled(String queue) {
    node.queues().announce(queue);
  }

  @Override
  public void overdueAt(Instant then) {
    node.queues().overdueAt(then);
  }

  @Override
  public void unwanted() {
    node.queues().cancelled();
  }

  @Override
  public CompletableFuture<Next> next(LiveRun run, int events) {
    return intake.next(run.row(), events);
  }

  @Override
  public boolean failed(Error error) {
    node.failed(error);
    return true;
  }

  @Override
  public boolean mayRun(String workflow) {
    return node.store().isShared() || node.known(workflow).isPresent();
  }

  @Override
  public boolean mayCall(String activity) {
    return node.store().isShared() || node.runSettings().activities().names().contains(activity);
  }

  @Override
  public void noted(RunRow row, Event event) {
    log.noted(row, event);
  }

  @Override
  public void blocking(LiveRun run, Throwable mistake) {
    var thrown = mistake instanceof RepriseException ? null : mistake; // that one says it all
    RunLog.held(run.row(), LiveRun.reason(mistake), thrown);
  }

  @Override
  public void ended(LiveRun run, End end) {
    log.ended(run, end);
    if (end instanceof End.Continued(_, var next, var events)) goOn(next, events);
    if (end instanceof End.Undoing) recovery.reload(run.row());
    node.inMemory().remove(run); // what comes in its place is known by now
    node.queuedRuns().left(run.row().key(), end);
    if (node.trials().stood(run.row().key())) recovery.soon();
    parked.remove(run);
    leave(run);
    switch (end) {
      case End.Closed _, End.Blocked _ -> settled(run, end);
      case End.Continued(var terminal, _, _) -> settled(run, new End.Closed(terminal));
      case End.Undoing _ -> {}
      case End.Released _ -> {
        if (node.routes().isLeftToOthers(run.row())) node.store().wakeups().due();
        recovery.soon();
      }
      case End.Lost(var why) -> {
        if (!node.isStopped()) run.onceDecided(() -> recovery.reload(run.row(), why));
      }
    }
  }

  private void settled(LiveRun run, End end) {
    results.tell(run.row().key(), end);
    recovery.forget(run.row().key());
  }

  /** The new run of a workflow has this node as its owner; inputs may wait for it already. */
  private void goOn(RunRow next, List<EventRow> events) {
    if (node.isStopped()) return; // it is freed with everything else
    var run = node.create(next);
    node.enter(run);
    node.begin(run, events, List.of());
    run.fetchInputs();
  }

  private void leave(LiveRun run) {
    node.admission().leave(run);
    recovery.roomAgain();
  }
}
