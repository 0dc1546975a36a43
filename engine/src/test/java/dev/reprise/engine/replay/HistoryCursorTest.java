package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryCursorTest {

  private static Recorded event(int index) {
    return new Recorded(index, Instant.EPOCH, null, new Event.TimerFired("sleep:" + index));
  }

  @Test
  void events_are_taken_one_after_the_other_and_looked_at_any_number_of_times() {
    var cursor = new HistoryCursor(List.of(EventRow.of(event(1)), EventRow.of(event(2))));

    assertThat(cursor.peek()).isEqualTo(event(1));
    assertThat(cursor.peek()).isEqualTo(event(1));
    assertThat(cursor.take()).isEqualTo(event(1));
    assertThat(cursor.hasNext()).isTrue();
    assertThat(cursor.peek()).isEqualTo(event(2));
    assertThat(cursor.hasNext()).isTrue();
    assertThat(cursor.take()).isEqualTo(event(2));
    assertThat(cursor.hasNext()).isFalse();
    assertThat(cursor.peek()).isNull();
    assertThatThrownBy(cursor::take).hasMessageContaining("used up");
  }

  @Test
  void it_is_at_its_end_when_only_resumes_follow() {
    var resumed = new Recorded(2, Instant.EPOCH, null, new Event.WorkflowResumed("ops", null));
    var rows = List.of(EventRow.of(event(1)), EventRow.of(resumed));
    var cursor = new HistoryCursor(rows);

    assertThat(cursor.isAtEnd()).isFalse();
    cursor.peek();
    assertThat(cursor.isAtEnd()).as("what was looked at is still to come").isFalse();
    cursor.take();
    assertThat(cursor.isAtEnd()).isTrue();
    cursor.peek();
    assertThat(cursor.isAtEnd()).isTrue();
  }

  @Test
  void an_event_that_cannot_be_read_is_named() {
    var cursor =
        new HistoryCursor(List.of(new EventRow(7, Instant.EPOCH, 99, null, new byte[0], null)));

    var e = catchThrowableOfType(RepriseException.class, cursor::peek);

    assertThat(e.code()).isEqualTo(ErrorCode.R108);
    assertThat(e).hasMessageContaining("event #7").hasMessageContaining("99");
  }
}
