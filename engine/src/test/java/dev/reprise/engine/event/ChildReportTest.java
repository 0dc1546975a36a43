package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.FailureInfo;
import dev.reprise.Status;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChildReportTest {

  private static Event.ChildFailed ended(Status status, Class<?> type, String reason) {
    return new Event.ChildFailed(
        "c", status, new FailureInfo(type.getName(), reason, null, null, null));
  }

  @Test
  void each_end_of_a_child_is_an_event_of_its_parent() {
    assertThat(ChildReport.of("c", new Event.WorkflowCompleted(Events.json("1"))))
        .isEqualTo(new Event.ChildCompleted("c", Events.json("1")));
    assertThat(ChildReport.of("c", new Event.WorkflowFailed(Events.FAILURE)))
        .isEqualTo(new Event.ChildFailed("c", Status.FAILED, Events.FAILURE));
    assertThat(ChildReport.of("c", new Event.WorkflowCancelled("why")))
        .isEqualTo(ended(Status.CANCELLED, WorkflowCancelled.class, "why"));
    assertThat(ChildReport.of("c", new Event.WorkflowTimedOut("late")))
        .isEqualTo(ended(Status.TIMED_OUT, WorkflowTimedOut.class, "late"));
    assertThat(ChildReport.of("c", new Event.WorkflowTerminated("ops", "fire")))
        .isEqualTo(ended(Status.TERMINATED, WorkflowTerminated.class, "fire"));
  }

  @Test
  void one_that_goes_on_reports_nothing() {
    assertThat(ChildReport.of("c", new Event.WorkflowContinuedAsNew(new UUID(0, 1)))).isNull();
  }

  @Test
  void a_report_is_the_same_after_it_was_written_and_read() {
    for (var event :
        new Event[] {
          new Event.ChildCompleted("child W:1", Events.json("{\"a\":[1,2]}")),
          new Event.ChildCompleted("child W:1", Payload.none()),
          new Event.ChildFailed("child W:1", Status.TIMED_OUT, Events.FAILURE)
        }) {
      assertThat(EventBytes.read(EventBytes.write(event))).isEqualTo(event);
    }
  }
}
