package dev.reprise.examples.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityFailed;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.examples.Arrival;
import dev.reprise.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelTest {
  private static final Map<String, Integer> PRICES = Map.of("north", 12, "south", 9, "west", 11);

  private final CyclicBarrier allShopsAsked = new CyclicBarrier(PRICES.size());
  private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T09:00:00Z"));
  private final Engine engine =
      Reprise.on(new MemoryStore())
          .time(time.view())
          .workflow(new PriceSurvey(this::priceAt))
          .workflow(new TaxiCall(ParallelTest::call))
          .workflow(new Auction())
          .workflow(new Translation(text -> "roughly: " + text))
          .start();

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void all_shops_are_asked_at_the_same_time() {
    var survey = engine.start(PriceSurvey.class, "teapot", List.of("north", "south", "west"));

    assertThat(survey.result()).isEqualTo(9);
  }

  @Test
  void the_first_taxi_that_is_free_comes() {
    var call = engine.start(TaxiCall.class, "call-1", List.of("busy Bob", "free Fred"));

    assertThat(call.result()).isEqualTo("free Fred");
  }

  @Test
  void if_all_taxis_are_busy_the_call_fails() {
    var call = engine.start(TaxiCall.class, "call-1", List.of("busy Bob", "busy Ben"));

    var failure = catchThrowableOfType(WorkflowFailed.class, call::result);
    assertThat(failure.is(ActivityFailed.class)).isTrue();
  }

  @Test
  void a_buyer_ends_the_auction() {
    var auction = engine.start(Auction.class, "vase", "a vase");

    auction.signal(Auction.BUY_NOW, "Ada");

    assertThat(auction.result()).isEqualTo("sold to Ada");
  }

  @Test
  void the_clock_ends_the_auction_if_nobody_buys() {
    var auction = engine.start(Auction.class, "vase", "a vase");

    Arrival.at(auction, "a sleep");
    time.advance(Duration.ofHours(1));

    assertThat(auction.result()).isEqualTo("not sold");
  }

  @Test
  void a_translation_in_time_is_taken() {
    var translation = engine.start(Translation.class, "text-1", "Hallo");

    translation.signal(Translation.DRAFT, "hello");
    translation.signal(Translation.REVIEW, "Ada");

    assertThat(translation.result()).isEqualTo("hello, reviewed by Ada");
  }

  @Test
  void a_translation_that_is_half_done_after_a_day_is_given_up() {
    var translation = engine.start(Translation.class, "text-1", "Hallo");
    translation.signal(Translation.DRAFT, "hello");

    Arrival.at(translation, "signal 'review'");
    time.advance(Duration.ofDays(1));

    assertThat(translation.result()).isEqualTo("roughly: Hallo");
  }

  /** Answers when all have been asked, so nothing would ever end if they were asked in turn. */
  private Integer priceAt(String shop) {
    try {
      allShopsAsked.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
    return PRICES.get(shop);
  }

  private static String call(String driver) {
    if (driver.startsWith("busy")) throw new IllegalStateException(driver);
    return driver;
  }
}
