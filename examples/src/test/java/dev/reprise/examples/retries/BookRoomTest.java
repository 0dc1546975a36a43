package dev.reprise.examples.retries;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.ActivityFailed;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class BookRoomTest {
  private final Grand hotel = new Grand();

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(new BookRoom(hotel));
  }

  @Test
  void a_failed_attempt_is_made_again_after_a_while(TestEngine engine) {
    hotel.failures.add(new IllegalStateException("no connection"));
    hotel.failures.add(new IllegalStateException("no connection"));

    var booking = engine.start(BookRoom.class, "ada", "Ada");

    assertThat(booking).completedWith("room for Ada").ran("Hotel.book").withAttempts(3);
    assertThat(engine.now()).isEqualTo(TestEngine.START.plusSeconds(2 + 4));
  }

  @Test
  void when_all_attempts_have_failed_the_workflow_learns_why(TestEngine engine) {
    for (int i = 0; i < 4; i++) hotel.failures.add(new IllegalStateException("no connection"));

    var booking = engine.start(BookRoom.class, "ada", "Ada");

    assertThat(booking)
        .failedWith(ActivityFailed.class)
        .failedWith("4 attempts")
        .failedWith("no connection");
  }

  @Test
  void a_terminal_failure_is_not_tried_again(TestEngine engine) {
    hotel.failures.add(new Hotel.FullyBooked("the Grand"));

    var booking = engine.start(BookRoom.class, "ada", "Ada");

    assertThat(booking).completedWith("waiting list");
    assertThat(hotel.asked).containsExactly("book for Ada", "waiting list for Ada");
  }

  @Test
  void exceptions_that_the_policy_names_are_not_tried_again(TestEngine engine) {
    hotel.failures.add(new IllegalArgumentException("no such guest"));

    var booking = engine.start(BookRoom.class, "ada", "Ada");

    assertThat(booking).failedWith("no such guest").ran("Hotel.book").withAttempts(1);
  }

  // tag::slow[]
  @Test
  void an_attempt_that_takes_too_long_counts_as_failed(TestEngine engine) {
    engine.replace(
        "Hotel.book",
        call -> {
          if (call.attempt() == 1) call.takes(Duration.ofHours(1)); // the limit is 10 seconds
          return call.proceed();
        });

    var booking = engine.start(BookRoom.class, "ada", "Ada");

    assertThat(booking).completedWith("room for Ada").ran("Hotel.book").withAttempts(2);
  }

  // end::slow[]

  /** A hotel that fails as it is told. */
  private static final class Grand implements Hotel {
    final List<RuntimeException> failures = new ArrayList<>();
    final List<String> asked = new ArrayList<>();

    @Override
    public String book(String guest) {
      asked.add("book for " + guest);
      if (!failures.isEmpty()) throw failures.removeFirst();
      return "room for " + guest;
    }

    @Override
    public void putOnWaitingList(String guest) {
      asked.add("waiting list for " + guest);
    }
  }
}
