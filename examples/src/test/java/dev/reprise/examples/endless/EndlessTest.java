package dev.reprise.examples.endless;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.examples.endless.Membership.Balance;
import dev.reprise.examples.endless.PointsAccount.State;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class EndlessTest {
  private static final int YEARS = 10;

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(new Membership(new ChessClub())).workflow(new PointsAccount());
  }

  @Test
  void a_member_who_leaves_at_once_pays_nothing(TestEngine engine) {
    var membership = engine.start(Membership.class, "ada", "Ada");
    membership.signal(Membership.LEAVE, "moved away");

    assertThat(membership).completedWith(new Balance(0, 0));
  }

  // tag::test[]
  @Test
  void a_member_pays_for_years_and_no_history_is_long(TestEngine engine) {
    engine.set(e -> e.loopLimit(50));
    var membership = engine.start(Membership.class, "ada", "Ada");

    engine.advance(Duration.ofDays(30L * 12 * YEARS));
    membership.signal(Membership.LEAVE, "moved away");

    assertThat(membership).completedWith(new Balance(120, 120 * 10_00));
    assertThat(engine.runs("ada")).hasSizeGreaterThan(2);
    for (var run : engine.runs("ada")) {
      assertThat(engine.history("ada", run.runId())).hasSizeLessThan(60);
    }
  }

  // end::test[]

  @CrashEverywhere
  void a_member_pays_each_month_wherever_the_engine_dies(TestEngine engine) {
    engine.set(e -> e.loopLimit(3));
    var membership = engine.start(Membership.class, "ada", "Ada");
    engine.advance(Duration.ofDays(30L * 6));
    membership.signal(Membership.LEAVE, "moved away");

    assertThat(membership).completedWith(new Balance(6, 6 * 10_00));
  }

  @Test
  void points_are_counted_from_run_to_run(TestEngine engine) {
    var account = engine.start(PointsAccount.class, "ada", new State(100));
    for (long i = 1; i <= 2_500; i++) account.signal(PointsAccount.POINTS, i);
    account.signal(PointsAccount.CLOSE, "enough");

    assertThat(account).completedWith(100L + 2_500 * 2_501 / 2);
    assertThat(engine.runs("ada"))
        .extracting(RunDescription::status)
        .contains(Status.COMPLETED, Status.CONTINUED);
  }

  @CrashEverywhere(onlyOutcomes = true)
  void no_point_is_lost_or_counted_twice_wherever_the_engine_dies(TestEngine engine) {
    var account = engine.start(PointsAccount.class, "ada", new State(0));
    for (long i = 1; i <= 8; i++) account.signal(PointsAccount.POINTS, i);
    account.signal(PointsAccount.CLOSE, "enough");

    assertThat(account).completedWith(36L);
  }

  private static final class ChessClub implements Club {
    @Override
    public String card(String member) {
      return "card of " + member;
    }

    @Override
    public long charge(String card) {
      return 10_00;
    }
  }
}
