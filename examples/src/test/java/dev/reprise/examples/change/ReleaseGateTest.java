package dev.reprise.examples.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.Workflows;
import dev.reprise.testkit.ReplayCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs of a whole database are followed by the code of this release. */
class ReleaseGateTest {
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path folder;

  private Billing billing;
  private String url;

  /** As the last release left it: two customers wait for their bill. */
  @BeforeEach
  void record() {
    billing = new Letters(folder.resolve("letters"));
    url = "jdbc:sqlite:" + folder.resolve("subscriptions.db");
    Workflow<String, String> yesterday =
        (ctx, customer) -> {
          ctx.sleep(MONTH);
          ctx.run(billing::charge, customer);
          return "charged " + customer;
        };
    var reprise = Reprise.open(url).workflow("Subscription", String.class, String.class, yesterday);
    try (var engine = reprise.start()) {
      engine.start("Subscription", "ada", "Ada");
      engine.start("Subscription", "bob", "Bob");
      awaitSleep(engine, "ada");
      awaitSleep(engine, "bob");
    }
  }

  private static void awaitSleep(Engine engine, String customer) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (engine.history(customer).size() < 2) {
      if (System.nanoTime() - end > 0) throw new AssertionError(customer + " does not sleep");
      LockSupport.parkNanos(1_000_000);
    }
  }

  // tag::gate[]
  @Test
  void the_new_code_follows_the_runs_of_a_database() {
    var report = new ReplayCheck().workflow(new Subscription(billing)).replayDatabase(url);

    assertThat(report.checked()).isEqualTo(2);
  }

  // end::gate[]

  @Test
  void a_change_without_a_guard_is_found_and_no_letter_is_written() {
    Workflow<String, String> careless =
        (ctx, customer) -> {
          ctx.run(billing::announce, customer);
          ctx.sleep(MONTH);
          return "charged " + customer;
        };
    var check = new ReplayCheck().workflow("Subscription", String.class, String.class, careless);

    assertThatThrownBy(() -> check.replayDatabase(url))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("R101", "Billing.announce", "sleep", "in 2 runs", "ada", "bob");
    assertThat(Files.exists(folder.resolve("letters"))).isFalse();
  }

  @Test
  void the_new_release_goes_on_with_the_runs_of_the_old_one() {
    try (var engine = SubscriptionService.start(url)) {
      assertThat(engine.handle(Subscription.class, "ada").status()).isEqualTo(Status.RUNNING);
    }
  }

  @Test
  void the_workflows_of_the_application_are_found() {
    var reprise = Reprise.inMemory();

    for (var found : ServiceLoader.load(Workflows.class)) found.register(reprise);

    assertThat(reprise.gate().workflows()).containsExactly("Subscription");
  }
}
