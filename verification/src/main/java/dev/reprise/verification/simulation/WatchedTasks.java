package dev.reprise.verification.simulation;

import dev.reprise.QueueLimits;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TaskStore;
import java.time.Instant;
import java.util.List;

/** The queues of the database, whose every change the auditor sees. */
final class WatchedTasks extends ForwardingTasks {
  private final TaskAuditor auditor;
  private final Database database;

  WatchedTasks(TaskStore tasks, Database database) {
    super(tasks);
    this.database = database;
    this.auditor = database.auditor().tasks();
  }

  @Override
  public List<Handout> take(Take take) {
    var taken = super.take(take);
    auditor.taken(take, taken, database.now());
    return taken;
  }

  @Override
  public List<Report.Reply> report(List<Report> reports, Instant now) {
    var replies = super.report(reports, now);
    for (int i = 0; i < replies.size(); i++) {
      auditor.reported(reports.get(i), replies.get(i), now, database.now());
    }
    return replies;
  }

  @Override
  public List<Beat.Answer> heartbeat(List<Beat> beats, Instant now) {
    var answers = super.heartbeat(beats, now);
    for (int i = 0; i < answers.size(); i++) {
      auditor.beat(beats.get(i), answers.get(i), now);
    }
    return answers;
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    super.limit(queue, limits);
    auditor.limited(queue, limits);
  }
}
