package dev.reprise.examples.saga;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowFailed;
import dev.reprise.examples.saga.TripBooking.Booked;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RepriseTest
class TripBookingTest {
  private static final Trip TRIP = new Trip("Ada", "Rome", 900_00);
  private static final String[] ALL = {"money", "car in Rome", "flight to Rome", "sorry, Ada"};

  private final World world = new World();

  @BeforeEach
  void register(TestEngine engine) {
    engine
        .workflow(new TripBooking(world.airline, world.hotel, world.till))
        .workflow(new WeekendTrip(world.airline, world.hotel))
        .activities(world.airline, world.hotel, world.garage, world.till)
        .activity("apology", String.class, world::apologise);
  }

  @Test
  void a_trip_that_is_booked_stays_booked(TestEngine engine) {
    var booking = engine.start(TripBooking.class, "trip-7", TRIP);

    assertThat(booking).completedWith(new Booked("flight to Rome", "car in Rome", "room in Rome"));
    assertThat(world.undone).isEmpty();
  }

  // tag::test[]
  @Test
  void without_a_room_everything_is_undone_the_last_first(TestEngine engine) {
    world.isFull = true;
    var booking = engine.start(TripBooking.class, "trip-7", TRIP);

    assertThat(booking).failedWith(Hotels.FullyBooked.class);
    assertThat(world.undone)
        .containsExactly("money", "car in Rome", "flight to Rome", "sorry, Ada");
  }

  // end::test[]

  @CrashEverywhere
  void nothing_stays_booked_wherever_the_engine_dies(TestEngine engine) {
    world.isFull = true;
    var booking = engine.start(TripBooking.class, "trip-7", TRIP);

    assertThat(booking).failedWith(Hotels.FullyBooked.class);
    assertThat(world.booked).isEmpty();
  }

  @Test
  void a_bank_that_does_not_answer_is_asked_for_a_day(TestEngine engine) {
    world.isFull = true;
    engine.replace(
        "Bank.refund",
        call -> {
          if (call.attempt() < 20) throw new IllegalStateException("no answer");
          return null;
        });
    var booking = engine.start(TripBooking.class, "trip-7", TRIP);

    assertThat(booking).failedWith(Hotels.FullyBooked.class);
    assertThat(Duration.between(TestEngine.START, engine.now()))
        .isBetween(Duration.ofHours(1), Duration.ofDays(1));
  }

  // tag::failed[]
  @Test
  void what_could_not_be_undone_is_undone_when_somebody_has_helped(TestEngine engine) {
    world.isFull = true;
    world.isTillClosed = true;
    var booking = engine.start(TripBooking.class, "trip-7", TRIP);

    assertThatThrownBy(booking::result)
        .isInstanceOf(WorkflowBlocked.class)
        .hasMessageContainingAll("R132", "Bank.refund", "the account is closed");
    assertThat(booking.status()).isEqualTo(Status.COMPENSATION_FAILED);
    assertThat(world.booked).containsExactly("money"); // the others were undone

    world.isTillClosed = false;
    booking.resume();

    assertThatThrownBy(booking::result).isInstanceOf(WorkflowFailed.class);
    assertThat(world.booked).isEmpty();
  }

  // end::failed[]

  @Test
  void what_is_to_be_undone_can_be_seen(TestEngine engine) {
    world.isFull = true;
    world.isTillClosed = true;
    var booking = engine.start(TripBooking.class, "trip-7", TRIP);
    assertThatThrownBy(booking::result).isInstanceOf(WorkflowBlocked.class);

    assertThat(booking).isWaitingFor("Bank.refund");
  }

  // tag::terminate[]
  @Test
  void a_trip_that_is_terminated_is_undone_if_that_is_wanted(TestEngine engine) {
    engine.replace(
        "Hotels.book",
        _ -> {
          throw new IllegalStateException("no answer"); // and so it tries again and again
        });
    var booking = engine.start(TripBooking.class, "trip-7", TRIP);
    engine.advance(Duration.ofSeconds(10));

    booking.terminate("the agency is closed", true);

    engine.advance(Duration.ofSeconds(1));
    assertThat(booking.status()).isEqualTo(Status.TERMINATED);
    assertThat(world.undone).containsExactly(ALL);
  }

  // end::terminate[]

  @Test
  void of_two_bookings_at_the_same_time_none_is_left(TestEngine engine) {
    world.isFull = true;
    var weekend = engine.start(WeekendTrip.class, "weekend-7", TRIP);

    assertThat(weekend).failedWith(Hotels.FullyBooked.class);
    assertThat(world.booked).isEmpty();
  }

  @CrashEverywhere(onlyOutcomes = true)
  void of_two_bookings_none_is_left_wherever_the_engine_dies(TestEngine engine) {
    world.isFull = true;
    var weekend = engine.start(WeekendTrip.class, "weekend-7", TRIP);

    assertThat(weekend).failedWith(Hotels.FullyBooked.class);
    assertThat(world.booked).isEmpty();
  }

  @Test
  void a_weekend_can_be_booked(TestEngine engine) {
    assertThat(engine.start(WeekendTrip.class, "weekend-7", TRIP))
        .completedWith("flight to Rome and room in Rome");
  }

  @Test
  void an_agency_on_disk_undoes_too(@TempDir Path folder) {
    world.isFull = true;
    var url = "jdbc:sqlite:" + folder.resolve("agency.db");
    try (var engine =
        TravelAgency.open(
            url, world.airline, world.hotel, world.garage, world.till, world::apologise)) {
      var booking = engine.start(TripBooking.class, "trip-7", TRIP);

      assertThatThrownBy(booking::result).isInstanceOf(WorkflowFailed.class);
    }
    assertThat(world.undone).containsExactly(ALL);
  }
}
