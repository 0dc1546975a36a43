package dev.reprise.examples.retries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityFailed;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.examples.Arrival;
import dev.reprise.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BookRoomTest {
  private final Grand hotel = new Grand();
  private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T09:00:00Z"));
  private final Engine engine =
      Reprise.on(new MemoryStore()).time(time.view()).workflow(new BookRoom(hotel)).start();

  @AfterEach
  void close() {
    engine.close();
  }

  // tag::retry[]
  @Test
  void a_failed_attempt_is_made_again_after_a_while() {
    hotel.failures.add(new IllegalStateException("no connection"));
    hotel.failures.add(new IllegalStateException("no connection"));
    var booking = engine.start(BookRoom.class, "ada", "Ada");

    passRetries(booking, Duration.ofSeconds(2), Duration.ofSeconds(4));

    assertThat(booking.result()).isEqualTo("room for Ada");
    assertThat(booking.history())
        .extracting(HistoryEvent::type)
        .containsExactly(
            "WorkflowStarted",
            "ActivityRetryScheduled",
            "ActivityRetryScheduled",
            "ActivityCompleted",
            "WorkflowCompleted");
  }

  // end::retry[]

  @Test
  void when_all_attempts_have_failed_the_workflow_learns_why() {
    for (int i = 0; i < 4; i++) hotel.failures.add(new IllegalStateException("no connection"));
    var booking = engine.start(BookRoom.class, "ada", "Ada");

    passRetries(booking, Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8));

    var failure = catchThrowableOfType(WorkflowFailed.class, booking::result);
    assertThat(failure.is(ActivityFailed.class)).isTrue();
    assertThat(failure).hasMessageContaining("4 attempts").hasMessageContaining("no connection");
  }

  @Test
  void a_terminal_failure_is_not_tried_again() {
    hotel.failures.add(new Hotel.FullyBooked("the Grand"));

    var booking = engine.start(BookRoom.class, "ada", "Ada");

    assertThat(booking.result()).isEqualTo("waiting list");
    assertThat(hotel.asked).containsExactly("book for Ada", "waiting list for Ada");
  }

  @Test
  void exceptions_that_the_policy_names_are_not_tried_again() {
    hotel.failures.add(new IllegalArgumentException("no such guest"));

    var booking = engine.start(BookRoom.class, "ada", "Ada");

    assertThatThrownBy(booking::result).isInstanceOf(WorkflowFailed.class);
    assertThat(hotel.asked).containsExactly("book for Ada");
  }

  @Test
  void an_attempt_that_takes_too_long_counts_as_failed() {
    hotel.hangsOnce = true;
    var booking = engine.start(BookRoom.class, "ada", "Ada");

    Arrival.atAlarm(time);
    time.advance(Duration.ofSeconds(10));
    passRetries(booking, Duration.ofSeconds(2));

    assertThat(booking.result()).isEqualTo("room for Ada");
    assertThat(hotel.asked).containsExactly("book for Ada", "book for Ada");
  }

  /** Waits for each retry to be due, and moves the time on to it. */
  private void passRetries(Handle<?> run, Duration... delays) {
    for (var delay : delays) {
      Arrival.at(run, "due " + time.now().plus(delay));
      time.advance(delay);
    }
  }

  /** A hotel that fails as it is told, and hangs once if it is told so. */
  private static final class Grand implements Hotel {
    final List<RuntimeException> failures = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    boolean hangsOnce;

    @Override
    public String book(String guest) {
      asked.add("book for " + guest);
      if (hangsOnce) hang();
      if (!failures.isEmpty()) throw failures.removeFirst();
      return "room for " + guest;
    }

    /** Until the engine interrupts the attempt. */
    private void hang() {
      hangsOnce = false;
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException tooLong) {
        throw new IllegalStateException(tooLong);
      }
    }

    @Override
    public void putOnWaitingList(String guest) {
      asked.add("waiting list for " + guest);
    }
  }
}
