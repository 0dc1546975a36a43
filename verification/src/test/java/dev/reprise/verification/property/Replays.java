package dev.reprise.verification.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.archive.History;
import dev.reprise.engine.archive.HistoryJson;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.replay.Lineages;
import dev.reprise.engine.replay.Verdict;
import dev.reprise.engine.store.RunRow;
import dev.reprise.testkit.ReplayCheck;
import java.util.List;

/** Replays recordings outside of any engine, as files. */
final class Replays {
  private Replays() {}

  /** A program follows its own recording, and the open run that it was after each event. */
  static void assertFollowed(List<Op> program, Recording recording) {
    for (int length = begin(recording); length <= recording.size(); length++) {
      var json = HistoryJson.write(file(recording, length));
      assertThat(check(program).check(json))
          .as("the first %d events", length)
          .isInstanceOf(Verdict.Follows.class);
    }
  }

  /** How many events it began with. */
  private static int begin(Recording recording) {
    int begin = 1;
    for (var row : recording.events()) {
      switch (row.recorded().event()) {
        case Event.WorkflowStarted started ->
            begin = 1 + Lineages.unreceived(started.origin(), recording.size());
        case Event.LoopSnapshot snapshot -> begin = row.index() + snapshot.carried();
        default -> {}
      }
    }
    return begin;
  }

  private static ReplayCheck check(List<Op> program) {
    return new ReplayCheck()
        .workflow(
            Interpreter.WORKFLOW, String.class, String.class, new Interpreter(program, new Gate()));
  }

  private static History file(Recording recording, int length) {
    var row = recording.row();
    return new History(
        length == recording.size() ? row : open(row), recording.events().subList(0, length));
  }

  private static RunRow open(RunRow row) {
    return new RunRow(
        row.key(),
        row.runId(),
        row.workflowId(),
        row.workflow(),
        Status.RUNNING,
        null,
        null,
        row.startedAt(),
        null,
        null,
        0);
  }
}
