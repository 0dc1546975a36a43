package dev.reprise.examples.waiting;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.examples.waiting.VacationRequest.Decision;
import dev.reprise.examples.waiting.Vote.Ballot;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class WaitingTest {
  private final List<String> notices = new CopyOnWriteArrayList<>();

  @BeforeEach
  void register(TestEngine engine) {
    engine
        .workflow(new VacationRequest())
        .workflow(new ShoppingCart())
        .workflow(new Trial(new NoticeBoard()))
        .workflow(new Vote());
  }

  @Test
  void a_signal_ends_the_wait_for_it(TestEngine engine) {
    var request = engine.start(VacationRequest.class, "ada", "Ada");

    request.signal(VacationRequest.DECISION, new Decision(true, "Grace"));

    assertThat(request.result()).isEqualTo("granted by Grace");
  }

  // tag::timeout[]
  @Test
  void after_a_week_without_a_signal_the_wait_is_over(TestEngine engine) {
    var request = engine.start(VacationRequest.class, "ada", "Ada");

    engine.advance(Duration.ofDays(7));

    assertThat(request.result()).isEqualTo("refused: nobody decided");
  }

  // end::timeout[]

  @Test
  void signals_of_several_names_arrive_in_the_order_they_were_sent(TestEngine engine) {
    var cart = engine.start(ShoppingCart.class, "cart-1", "Ada");

    cart.signal(ShoppingCart.ADD, "teapot");
    cart.signal(ShoppingCart.ADD, "lamp");
    cart.signal(ShoppingCart.REMOVE, "teapot");
    cart.signal(ShoppingCart.PAY, "cash");

    assertThat(cart.result()).containsExactly("lamp");
  }

  @Test
  void each_signal_gives_the_customer_another_hour(TestEngine engine) {
    var cart = engine.start(ShoppingCart.class, "cart-1", "Ada");
    engine.advance(Duration.ofMinutes(59));
    cart.signal(ShoppingCart.ADD, "teapot");
    engine.advance(Duration.ofMinutes(59));

    cart.signal(ShoppingCart.PAY, "cash");

    assertThat(cart.result()).containsExactly("teapot");
  }

  @Test
  void a_cart_that_is_left_alone_for_an_hour_is_emptied(TestEngine engine) {
    var cart = engine.start(ShoppingCart.class, "cart-1", "Ada");
    cart.signal(ShoppingCart.ADD, "teapot");

    engine.advance(Duration.ofHours(1));

    assertThat(cart.result()).isEmpty();
  }

  @Test
  void a_sleep_of_weeks_ends_when_it_should(TestEngine engine) {
    var end = TestEngine.START.plus(Duration.ofDays(30));
    var trial = engine.start(Trial.class, "trial-1", end);

    engine.advance(Duration.ofDays(27));
    assertThat(notices).containsExactly("ends 2030-01-31T00:00:00Z");

    assertThat(trial).completedWith(end.plus(Duration.ofHours(12)));
    assertThat(notices).endsWith("over");
  }

  @Test
  void a_moment_in_the_past_is_not_waited_for(TestEngine engine) {
    var end =
        TestEngine.START.plus(Duration.ofDays(1)); // the reminder was due the day before yesterday
    engine.start(Trial.class, "trial-1", end);

    engine.awaitQuiet();

    assertThat(notices).containsExactly("ends 2030-01-02T00:00:00Z");
  }

  @Test
  void a_vote_is_won_as_soon_as_enough_agree(TestEngine engine) {
    var vote = engine.start(Vote.class, "vote-1", 2);

    vote.signal(Vote.BALLOT, new Ballot("Ada", true));
    vote.signal(Vote.BALLOT, new Ballot("Ada", true));
    vote.signal(Vote.BALLOT, new Ballot("Grace", false));
    vote.signal(Vote.BALLOT, new Ballot("Alan", true));

    assertThat(vote.result()).isTrue();
  }

  @Test
  void a_vote_is_lost_at_the_end_of_the_day(TestEngine engine) {
    var vote = engine.start(Vote.class, "vote-1", 2);
    vote.signal(Vote.BALLOT, new Ballot("Ada", true));

    engine.advance(Duration.ofDays(1));

    assertThat(vote.result()).isFalse();
  }

  private final class NoticeBoard implements Trial.Notices {
    @Override
    public void remind(Instant end) {
      notices.add("ends " + end);
    }

    @Override
    public void over() {
      notices.add("over");
    }
  }
}
