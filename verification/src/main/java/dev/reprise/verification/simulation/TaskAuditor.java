package dev.reprise.verification.simulation;

import dev.reprise.QueueLimits;
import dev.reprise.RetryAfter;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventBytes;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Beat;
import dev.reprise.engine.store.TaskStore.Take;
import dev.reprise.verification.simulation.WatchedTask.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Watches the queues of the database: each hand-out and each report is checked when it happens. */
final class TaskAuditor {
  private final Auditor auditor;
  private final Map<TaskRef, WatchedTask> tasks = new TreeMap<>();
  private final Map<String, QueueWatch> queues = new HashMap<>();
  private final List<Told> told = new ArrayList<>();
  private int open;

  /** What a run was told of an activity while it was open. */
  record Told(long run, Event event) {}

  TaskAuditor(Auditor auditor) {
    this.auditor = auditor;
  }

  /** How many activities have not come to their end. */
  int open() {
    return open;
  }

  List<WatchedTask> all() {
    return List.copyOf(tasks.values());
  }

  List<Told> told() {
    return told;
  }

  @Nullable WatchedTask find(TaskRef ref) {
    return tasks.get(ref);
  }

  @Nullable WatchedTask find(long run, String activityId) {
    return tasks.values().stream()
        .filter(task -> task.ref.run() == run && task.activityId.equals(activityId))
        .findFirst()
        .orElse(null);
  }

  private void violation(WatchedTask task, String what) {
    auditor.violation("%s %s".formatted(task, what));
  }

  // ---- with commits

  /** What is asked for is put on a queue with it. */
  void scheduled(long run, List<EventRow> events, List<NewTask> added, Instant now) {
    var indexes = added.stream().map(NewTask::index).collect(Collectors.toSet());
    for (var row : events) {
      if (!(row.recorded().event() instanceof Event.ActivityScheduled activity)) continue;
      if (!indexes.remove(row.index())) {
        auditor.violation(
            "run %d: activity %s is not put on a queue".formatted(run, activity.call().id()));
      }
      add(run, row, added, activity.call().id(), now);
    }
    if (!indexes.isEmpty()) {
      auditor.violation("run %d: nobody asked for what is on queues: %s".formatted(run, indexes));
    }
  }

  /** A fork asks again for what had not ended. */
  void forked(long run, List<EventRow> events, List<NewTask> added, Instant now) {
    for (var row : events) {
      if (!(row.recorded().event() instanceof Event.ActivityScheduled activity)) continue;
      boolean open = added.stream().anyMatch(task -> task.index() == row.index());
      if (!open) continue;
      auditor.count("queued activities of forks");
      add(run, row, added, activity.call().id(), now);
    }
  }

  private void add(long run, EventRow row, List<NewTask> added, String id, Instant now) {
    for (var task : added) {
      if (task.index() != row.index()) continue;
      var ref = new TaskRef(run, task.index());
      tasks.put(ref, new WatchedTask(ref, task, id, now));
      open++;
      auditor.count("queued activities");
    }
  }

  void cancelled(long run, List<Integer> indexes) {
    for (int index : indexes) {
      var task = tasks.get(new TaskRef(run, index));
      if (task != null) task.cancelled = true;
    }
  }

  // ---- hand-outs

  void limited(String queue, QueueLimits limits) {
    auditor.count("limits of queues changed");
    auditor.log("the limits of %s are %s", queue, limits);
    queue(queue).limited(limits);
  }

  /** Whether nothing is handed out of it. */
  boolean isPaused(String queue) {
    return queue(queue).isPaused();
  }

  private QueueWatch queue(String queue) {
    return queues.computeIfAbsent(queue, QueueWatch::new);
  }

  void taken(Take take, List<Handout> taken, Instant now) {
    int fresh = 0;
    for (var handout : taken) {
      var task = tasks.get(handout.ref());
      if (task == null) {
        auditor.violation("%s was handed out, which nobody asked for".formatted(handout.ref()));
      } else if (task.state == State.LEASED && take.hand().equals(task.hand)) {
        auditor.count("hand-outs answered again");
      } else {
        handedOut(task, take, handout, now);
        fresh++;
      }
    }
    var problem = queue(take.queue()).taken(take, fresh, tasks.values(), now);
    if (problem != null) auditor.violation("queue %s: %s".formatted(take.queue(), problem));
    if (queue(take.queue()).isHeldBack(take, fresh, tasks.values())) {
      auditor.count("hand-outs held back by limits");
    }
  }

  private void handedOut(WatchedTask task, Take take, Handout handout, Instant now) {
    auditor.count("attempts handed out");
    auditor.log("%s takes %s", take.worker(), task);
    if (task.state == State.ENDED) violation(task, "was handed out after its end");
    if (task.isHeld()) violation(task, "was handed out while somebody had it");
    if (task.cancelled) violation(task, "was handed out although nobody wants it");
    boolean early = !auditor.hasClockJumped() && now.isBefore(task.visibleAt);
    if (early) violation(task, "was handed out before its time, " + task.visibleAt);
    if (!Arrays.equals(task.heartbeat, handout.heartbeat())) {
      violation(task, "was handed out without the details of the last heartbeat");
    }
    task.lease(take.hand(), take.now());
    task.changedAt = now;
    if (!task.isHandedOut(handout.attempt(), handout.hand())) {
      violation(
          task, "was handed out as attempt %d by %s".formatted(handout.attempt(), handout.hand()));
    }
  }

  // ---- reports

  void reported(Report report, Report.Reply reply, Instant at, Instant now) {
    var task = tasks.get(report.ref());
    if (task == null) {
      auditor.violation("a report of %s, which nobody asked for".formatted(report.ref()));
    } else if (reply == Report.Reply.ACCEPTED) {
      accepted(task, report, at, now);
    } else {
      refused(task, report, reply);
    }
  }

  private void refused(WatchedTask task, Report report, Report.Reply reply) {
    auditor.log("refused as %s: %s of %s", reply, report.change(), task);
    boolean current = task.isHandedOut(report.attempt(), report.hand()) && task.isHeld();
    if (report.overdue() == null) auditor.count("stale reports refused");
    if (report.overdue() == null && current) violation(task, "a report was refused as " + reply);
  }

  private void accepted(WatchedTask task, Report report, Instant at, Instant now) {
    auditor.log("accepted: %s of %s", report.change(), task);
    var overdue = report.overdue();
    boolean last = task.isHandedOut(report.attempt(), report.hand());
    if (!last || task.state == State.ENDED) {
      violation(task, "a report of attempt %d was accepted".formatted(report.attempt()));
    } else if (overdue == null && !task.isHeld()) {
      violation(task, "a report was accepted of what nobody had");
    } else if (overdue != null && !isDue(task, overdue, now)) {
      violation(task, "was given up before its time");
    }
    count(task, report);
    if (report.heartbeat() != null) task.heartbeat = report.heartbeat();
    boolean ended = task.state == State.ENDED;
    task.change(report.change());
    task.changedAt = now;
    if (task.state == State.ENDED && !ended) open--;
    if (report.input() != null) told(task, report.input(), at);
    else if (task.state == State.ENDED) violation(task, "has ended, and nobody is told");
  }

  private boolean isDue(WatchedTask task, Instant overdue, Instant now) {
    return task.isDue(overdue) && (auditor.hasClockJumped() || !overdue.isAfter(now));
  }

  private void count(WatchedTask task, Report report) {
    switch (report.change()) {
      case Report.Change.Again _ ->
          auditor.count(report.overdue() == null ? "attempts failed" : "attempts lost");
      case Report.Change.GiveBack _ -> auditor.count("attempts given back");
      case Report.Change.LeaveOpen _ -> auditor.count("attempts left to others");
      case Report.Change.Finish _ -> {
        if (report.overdue() == null) return;
        auditor.count(
            task.cancelled
                ? "queued activities cancelled"
                : task.attempt == 0 ? "queued activities not served" : "queued activities late");
      }
    }
  }

  private void told(WatchedTask task, InputRow input, Instant at) {
    var event = EventBytes.read(input.value());
    if (task.state == State.ENDED) task.end = event;
    if (event instanceof Event.ActivityRetryScheduled(_, _, var failure, var due)) {
      boolean postponed = failure.type().equals(RetryAfter.class.getName());
      if (postponed && due.isBefore(input.acceptedAt().plus(JobWork.LATER))) {
        violation(task, "comes again at %s, reported at %s".formatted(due, at));
      }
      if (!due.equals(task.visibleAt)) violation(task, "its run was told " + due);
    }
    if (auditor.open().contains(task.ref.run())) {
      told.add(new Told(task.ref.run(), event));
    } else if (task.state == State.ENDED) {
      auditor.count("queued activities that outlived their workflow");
    }
  }

  // ---- heartbeats

  void beat(Beat beat, Beat.Answer answer, Instant at) {
    var task = Objects.requireNonNull(tasks.get(beat.ref()));
    boolean held = task.state == State.LEASED && task.isHandedOut(beat.attempt(), beat.hand());
    auditor.count(held ? "heartbeats" : "heartbeats that came too late");
    if (held != answer.isHeld()) violation(task, "a heartbeat was answered " + answer);
    if (!held) return;
    if (answer.cancelled() != task.cancelled) {
      violation(task, "a heartbeat was not told whether somebody wants it: " + answer);
    }
    if (task.cancelled) auditor.count("workers told that nobody wants it");
    task.beat(at);
    if (beat.details() != null) task.heartbeat = beat.details();
  }
}
