package dev.reprise.examples.parallel;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.ActivityFailed;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class ParallelTest {
  private static final Map<String, Integer> PRICES = Map.of("north", 12, "south", 9, "west", 11);

  private final CyclicBarrier allShopsAsked = new CyclicBarrier(PRICES.size());

  @BeforeEach
  void register(TestEngine engine) {
    engine
        .workflow(new PriceSurvey(this::priceAt))
        .workflow(new TaxiCall(ParallelTest::call))
        .workflow(new Auction())
        .workflow(new Translation(text -> "roughly: " + text));
  }

  @Test
  void all_shops_are_asked_at_the_same_time(TestEngine engine) {
    var survey = engine.start(PriceSurvey.class, "teapot", List.of("north", "south", "west"));

    assertThat(survey.result()).isEqualTo(9);
  }

  @Test
  void the_first_taxi_that_is_free_comes(TestEngine engine) {
    var call = engine.start(TaxiCall.class, "call-1", List.of("busy Bob", "free Fred"));

    assertThat(call.result()).isEqualTo("free Fred");
  }

  @Test
  void if_all_taxis_are_busy_the_call_fails(TestEngine engine) {
    var call = engine.start(TaxiCall.class, "call-1", List.of("busy Bob", "busy Ben"));

    assertThat(call).failedWith(ActivityFailed.class);
  }

  @Test
  void a_buyer_ends_the_auction(TestEngine engine) {
    var auction = engine.start(Auction.class, "vase", "a vase");

    auction.signal(Auction.BUY_NOW, "Ada");

    assertThat(auction.result()).isEqualTo("sold to Ada");
  }

  @Test
  void the_clock_ends_the_auction_if_nobody_buys(TestEngine engine) {
    var auction = engine.start(Auction.class, "vase", "a vase");

    engine.advance(Duration.ofHours(1));

    assertThat(auction.result()).isEqualTo("not sold");
  }

  @Test
  void a_translation_in_time_is_taken(TestEngine engine) {
    var translation = engine.start(Translation.class, "text-1", "Hallo");

    translation.signal(Translation.DRAFT, "hello");
    translation.signal(Translation.REVIEW, "Ada");

    assertThat(translation.result()).isEqualTo("hello, reviewed by Ada");
  }

  @Test
  void a_translation_that_is_half_done_after_a_day_is_given_up(TestEngine engine) {
    var translation = engine.start(Translation.class, "text-1", "Hallo");
    translation.signal(Translation.DRAFT, "hello");

    engine.advance(Duration.ofDays(1));

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
