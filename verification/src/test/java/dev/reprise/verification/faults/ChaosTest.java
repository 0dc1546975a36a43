package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.verification.chaos.Fault;
import dev.reprise.verification.chaos.Report;
import dev.reprise.verification.chaos.Round;
import dev.reprise.verification.chaos.Setup;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Engine processes on one PostgreSQL, under load, while things are done to them: nothing that was
 * acknowledged is lost, nothing that was recorded is done again. {@code ./reprise chaos} does the
 * same for as long as one likes.
 */
class ChaosTest {
  private static final int ENOUGH = 50; // workflows, or the faults met no load

  @TempDir Path folder;

  @Test
  void engines_are_killed() throws Exception {
    check(play(Setup.plain(), Map.of(Fault.KILL, 20)));
  }

  @Test
  void engines_stand_still_for_longer_than_their_lease() throws Exception {
    check(play(Setup.plain(), Map.of(Fault.FREEZE, 5)));
  }

  @Test
  void the_database_is_killed() throws Exception {
    check(play(Setup.plain(), Map.of(Fault.DATABASE, 3)));
  }

  @Test
  void connections_are_cut_between_a_commit_and_its_answer() throws Exception {
    check(play(Setup.plain(), Map.of(Fault.CUT, 20)));
  }

  @Test
  void notifications_are_lost_and_clocks_are_wrong() throws Exception {
    var setup = Setup.plain().losingHints().withWrongClocks();

    var report = play(setup, Map.of(Fault.KILL, 3, Fault.CUT, 5));

    check(report);
    assertThat(report.hintsLost()).isPositive();
  }

  @Test
  void everything_at_once() throws Exception {
    check(
        play(
            Setup.plain(),
            Map.of(Fault.KILL, 5, Fault.FREEZE, 2, Fault.DATABASE, 1, Fault.CUT, 5)));
  }

  private Report play(Setup setup, Map<Fault, Integer> faults) throws Exception {
    long seed = System.nanoTime();
    try (var round = new Round(setup, seed, folder)) {
      round.suffer(faults);
      return round.finish();
    }
  }

  private static void check(Report report) {
    System.out.println(report.text());
    assertThat(report.isGood()).as(report.text()).isTrue();
    assertThat(report.starts()).isGreaterThan(ENOUGH);
  }
}
