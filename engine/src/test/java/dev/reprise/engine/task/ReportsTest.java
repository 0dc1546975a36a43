package dev.reprise.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.FailureInfo;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.TaskRef;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReportsTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Call CALL = new Call("paint:1", "paint", "");
  private static final FailureInfo FAILURE = new FailureInfo("NoPaint", null, null, null, null);

  private static InputRow input(Event event) {
    return input(7, event);
  }

  private static InputRow input(long run, Event event) {
    var verdict = new TaskDecider.Verdict(new Change.Finish(), event);
    return Reports.fromOutside(new TaskRef(run, 3), new UUID(1, run), 2, verdict, NOON).input();
  }

  /** A run that goes on with another one leaves it what waits in its inbox. */
  @Test
  void what_two_runs_are_told_are_two_messages() {
    var failed = new Event.ActivityFailed(CALL, 2, FAILURE);

    assertThat(input(7, failed).message()).isNotEqualTo(input(8, failed).message());
  }

  /** An inbox takes a message id once: the end must not be taken for the retry that waits there. */
  @Test
  void the_end_after_an_attempt_is_another_message_than_its_retry() {
    var retry = input(new Event.ActivityRetryScheduled(CALL, 2, FAILURE, NOON.plusSeconds(9)));
    var cancelled = input(new Event.ActivityCancelled(CALL, 2));

    assertThat(retry.message()).isNotEqualTo(cancelled.message());
    assertThat(retry.run()).isEqualTo(7);
  }

  @Test
  void the_same_report_is_the_same_message() {
    var failed = new Event.ActivityFailed(CALL, 2, FAILURE);

    assertThat(input(failed).message()).isEqualTo(input(failed).message());
  }
}
