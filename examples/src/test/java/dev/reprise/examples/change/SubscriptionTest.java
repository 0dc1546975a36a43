package dev.reprise.examples.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.examples.Arrival;
import dev.reprise.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubscriptionTest {
  private static final Duration MONTH = Duration.ofDays(30);

  private final List<String> letters = new ArrayList<>();
  private final Billing billing = new Letters();
  private final MemoryStore store = new MemoryStore();
  private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T09:00:00Z"));

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
  void a_new_run_takes_the_new_path() {
    try (var engine = open(new Subscription(billing))) {
      var run = engine.start(Subscription.class, "ada", "Ada");
      Arrival.at(run, "a sleep");
      time.advance(MONTH);
      run.result();
    }

    assertThat(letters).containsExactly("price for Ada", "bill for Ada");
  }

  // tag::test[]
  @Test
  void a_run_that_was_open_before_the_release_keeps_to_the_old_path() {
    beginWithTheOldCode();

    try (var engine = open(new Subscription(billing))) {
      time.advance(MONTH);

      assertThat(engine.handle(Subscription.class, "ada").result()).isEqualTo("charged Ada");
      assertThat(letters).containsExactly("bill for Ada");
    }
  }

  // end::test[]

  @Test
  void without_the_guard_the_run_is_held_and_loses_nothing() {
    beginWithTheOldCode();

    try (var engine = open(careless)) {
      time.advance(MONTH);
      var run = engine.handle("ada", String.class);

      var blocked = catchThrowableOfType(WorkflowBlocked.class, run::result);
      assertThat(blocked.reason()).startsWith("R101").contains("SubscriptionTest.java");
      assertThat(run.status()).isEqualTo(Status.BLOCKED);
      assertThat(letters).isEmpty();
    }
  }

  @Test
  void a_held_run_goes_on_when_the_code_is_mended() {
    beginWithTheOldCode();
    try (var engine = open(careless)) {
      time.advance(MONTH);
      assertThatThrownBy(engine.handle("ada", String.class)::result)
          .isInstanceOf(WorkflowBlocked.class);
    }

    try (var engine = open(new Subscription(billing))) {
      engine.resume("ada");

      assertThat(engine.handle(Subscription.class, "ada").result()).isEqualTo("charged Ada");
    }
  }

  private void beginWithTheOldCode() {
    try (var engine = open(yesterday)) {
      engine.start("Subscription", "ada", "Ada");
      Arrival.at(engine.handle("ada", String.class), "a sleep");
    }
  }

  private Engine open(Workflow<String, String> code) {
    return Reprise.on(store)
        .time(time.view())
        .workflow("Subscription", String.class, String.class, code)
        .start();
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
