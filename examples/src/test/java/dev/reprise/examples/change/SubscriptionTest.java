package dev.reprise.examples.change;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.Workflow;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@RepriseTest
class SubscriptionTest {
  private static final Duration MONTH = Duration.ofDays(30);

  private final List<String> letters = new ArrayList<>();
  private final Billing billing = new Letters();

  // tag::versions[]
  /** The code of the last release. */
  private final Workflow<String, String> yesterday =
      (ctx, customer) -> {
        ctx.sleep(MONTH);
        ctx.run(billing::charge, customer);
        return "charged " + customer;
      };

  /** The change without a guard. */
  private final Workflow<String, String> careless =
      (ctx, customer) -> {
        ctx.run(billing::announce, customer);
        ctx.sleep(MONTH);
        ctx.run(billing::charge, customer);
        return "charged " + customer;
      };

  // end::versions[]

  @Test
  void a_new_run_takes_the_new_path(TestEngine engine) {
    engine.workflow(new Subscription(billing));

    assertThat(engine.start(Subscription.class, "ada", "Ada")).completedWith("charged Ada");
    assertThat(letters).containsExactly("price for Ada", "bill for Ada");
  }

  // tag::test[]
  @Test
  void a_run_that_was_open_before_the_release_keeps_to_the_old_path(TestEngine engine) {
    engine.workflow("Subscription", String.class, String.class, yesterday);
    engine.start("Subscription", "ada", "Ada");

    engine.redeploy().workflow(new Subscription(billing));

    assertThat(engine.handle(Subscription.class, "ada")).completedWith("charged Ada");
    assertThat(letters).containsExactly("bill for Ada");
  }

  // end::test[]

  @Test
  void without_the_guard_the_run_is_held_and_loses_nothing(TestEngine engine) {
    deployCarelessly(engine);

    assertThat(engine.handle(Subscription.class, "ada")).isBlocked();
    assertThat(engine.describe("ada").blockedBy())
        .startsWith("R101")
        .contains("SubscriptionTest.java");
    assertThat(letters).isEmpty();
  }

  @Test
  void a_held_run_goes_on_when_the_code_is_mended(TestEngine engine) {
    deployCarelessly(engine);
    assertThat(engine.handle(Subscription.class, "ada")).isBlocked();

    engine.redeploy().workflow(new Subscription(billing));
    engine.resume("ada");

    assertThat(engine.handle(Subscription.class, "ada")).completedWith("charged Ada");
  }

  private void deployCarelessly(TestEngine engine) {
    engine.workflow("Subscription", String.class, String.class, yesterday);
    engine.start("Subscription", "ada", "Ada");
    engine.redeploy().workflow("Subscription", String.class, String.class, careless);
  }

  private final class Letters implements Billing {
    @Override
    public void announce(String customer) {
      letters.add("price for " + customer);
    }

    @Override
    public void charge(String customer) {
      letters.add("bill for " + customer);
    }
  }
}
