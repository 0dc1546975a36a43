package dev.reprise.verification.simulation;

import dev.reprise.QueueLimits;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Queues with one bug. */
final class SabotagedTasks extends ForwardingTasks {
  private static final long A_MOMENT = 200_000_000; // nanoseconds

  private final Sabotage sabotage;
  private final Scheduler scheduler;
  private final DatabaseTime time;
  private final List<Seen> seen = new ArrayList<>();

  /** What was handed out, and when. */
  private record Seen(Handout handout, long at) {}

  SabotagedTasks(TaskStore tasks, Sabotage sabotage, Scheduler scheduler, DatabaseTime time) {
    super(tasks);
    this.sabotage = sabotage;
    this.scheduler = scheduler;
    this.time = time;
  }

  @Override
  public List<Handout> take(Take take) {
    if (sabotage == Sabotage.RATE_BY_NODE_CLOCKS) {
      return time.pretend(take.now(), () -> super.take(take));
    }
    var taken = super.take(take);
    if (sabotage != Sabotage.HAND_OUT_WITHOUT_LOCK) return taken;
    var all = new ArrayList<>(taken);
    seen.removeIf(other -> scheduler.now() - other.at > A_MOMENT);
    for (var other : seen) {
      boolean ofThisQueue = other.handout.queue().equals(take.queue());
      if (ofThisQueue && all.size() < take.limit()) all.add(other.handout);
    }
    for (var handout : taken) seen.add(new Seen(handout, scheduler.now()));
    return all;
  }

  @Override
  public List<Report.Reply> report(List<Report> reports, Instant now) {
    var replies = new ArrayList<Report.Reply>();
    for (var report : reports) replies.add(report(report, now));
    return replies;
  }

  private Report.Reply report(Report report, Instant now) {
    boolean lost = sabotage == Sabotage.LOSE_WHAT_IS_GIVEN_BACK;
    if (lost && report.change() instanceof Change.GiveBack && report.overdue() == null) {
      return Report.Reply.ACCEPTED;
    }
    return super.report(List.of(changed(report, now)), now).getFirst();
  }

  private Report changed(Report report, Instant now) {
    var change = report.change();
    return switch (sabotage) {
      case REPORT_FOR_ANY_ATTEMPT ->
          find(report.ref()).map(task -> ofAny(report, task.attempt())).orElse(report);
      case FORGET_LOST_ATTEMPTS ->
          change instanceof Change.Again(var at) && report.overdue() != null
              ? with(report, new Change.GiveBack(at))
              : report;
      case RETRY_AT_ONCE ->
          change instanceof Change.Again ? with(report, new Change.Again(now)) : report;
      case TELL_WITHOUT_FINISHING ->
          change instanceof Change.Finish ? with(report, new Change.Again(now)) : report;
      case FINISH_WITHOUT_TELLING ->
          new Report(
              report.ref(),
              report.attempt(),
              report.hand(),
              report.overdue(),
              change,
              null,
              report.heartbeat());
      default -> report;
    };
  }

  private static Report with(Report report, Change change) {
    return new Report(
        report.ref(),
        report.attempt(),
        report.hand(),
        report.overdue(),
        change,
        report.input(),
        report.heartbeat());
  }

  private static Report ofAny(Report report, int attempt) {
    return new Report(
        report.ref(),
        attempt,
        null,
        report.overdue(),
        report.change(),
        report.input(),
        report.heartbeat());
  }

  @Override
  public List<Beat.Answer> heartbeat(List<Beat> beats, Instant now) {
    return switch (sabotage) {
      case HEARTBEAT_IN_VAIN -> beats.stream().map(beat -> unheard(beat, now)).toList();
      case FORGET_DETAILS ->
          super.heartbeat(
              beats.stream()
                  .map(beat -> new Beat(beat.ref(), beat.attempt(), beat.hand(), null))
                  .toList(),
              now);
      case KEEP_CANCELS_SECRET ->
          super.heartbeat(beats, now).stream()
              .map(answer -> new Beat.Answer(answer.isHeld(), answer.leaseUntil(), false))
              .toList();
      default -> super.heartbeat(beats, now);
    };
  }

  private Beat.Answer unheard(Beat beat, Instant now) {
    return find(beat.ref())
        .filter(task -> task.attempt() == beat.attempt() && task.state() == TaskView.State.LEASED)
        .map(task -> new Beat.Answer(true, now.plus(task.lease()), task.cancelled()))
        .orElse(Beat.Answer.LOST);
  }

  @Override
  public List<TaskView> overdue(Instant now, int limit) {
    var tasks = super.overdue(now, limit);
    if (sabotage != Sabotage.NEVER_RECLAIM) return tasks;
    return tasks.stream().filter(task -> task.state() != TaskView.State.LEASED).toList();
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    if (sabotage != Sabotage.IGNORE_LIMITS) super.limit(queue, limits);
  }
}
