package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Trial;
import dev.reprise.engine.store.Suspicion;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TrialsTest {
  private long now = 1_000;

  private final Machine machine =
      (Machine)
          Proxy.newProxyInstance(
              Machine.class.getClassLoader(), new Class<?>[] {Machine.class}, (_, _, _) -> now);

  private final Trials trials = new Trials(machine);

  /** A suspect with which engines have died so often while it was not the only one. */
  private static RunRow suspect(long key, int shared) {
    var suspicion = new Suspicion(3).died(Trial.IN_COMPANY);
    for (int i = 0; i < shared; i++) suspicion = suspicion.died(Trial.IN_COMPANY);
    var row =
        new RunRow(
            key,
            new UUID(0, key),
            "w" + key,
            "Flow",
            Status.RUNNING,
            null,
            Instant.EPOCH,
            Instant.EPOCH,
            null,
            null,
            0);
    return row.withCrashes(suspicion.crashes());
  }

  private Duration begin(long key, int shared) {
    var trial = trials.next().orElseThrow();
    return trials.begin(suspect(key, shared), trial);
  }

  @Test
  void the_first_suspect_is_alone_and_the_next_one_joins_it_after_a_while() {
    assertThat(trials.next()).contains(Trial.ALONE);
    var floor = begin(1, 0);
    assertThat(floor).isEqualTo(Duration.ofSeconds(1));

    now += floor.toNanos() - 1;
    assertThat(trials.next()).isEmpty();
    now++;
    assertThat(trials.next()).contains(Trial.IN_COMPANY);
  }

  @Test
  void a_thousand_suspects_that_do_no_harm_have_all_begun_within_a_minute() {
    long begun = now;
    for (int key = 1; key <= 1_000; key++) now += begin(key, 0).toNanos();

    assertThat(Duration.ofNanos(now - begun)).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void a_suspect_that_stood_its_trial_makes_room_at_once() {
    begin(1, 0);

    assertThat(trials.stood(2)).isFalse();
    assertThat(trials.stood(1)).isTrue();

    assertThat(trials.next()).contains(Trial.ALONE);
  }

  @Test
  void while_an_earlier_one_is_still_there_the_next_is_not_alone() {
    now += begin(1, 0).toNanos();
    begin(2, 0);

    assertThat(trials.stood(2)).isTrue();

    assertThat(trials.next()).contains(Trial.IN_COMPANY);
  }

  @Test
  void the_store_is_told_of_the_one_that_is_alone_until_another_begins() {
    assertThat(trials.markedAlone()).isEmpty();
    now += begin(1, 0).toNanos();
    assertThat(trials.markedAlone()).contains(1L);
    trials.stood(1);
    assertThat(trials.markedAlone()).as("it waits in memory").contains(1L);

    trials.shared();
    begin(2, 0);

    assertThat(trials.markedAlone()).contains(2L);
  }

  @Test
  void the_more_engines_died_with_several_suspects_the_longer_each_has_for_itself() {
    assertThat(begin(1, 0)).isEqualTo(Duration.ofSeconds(1));
    trials.stood(1);
    assertThat(begin(2, 1)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(5));
    trials.stood(2);
    assertThat(begin(3, 2)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(30));
  }

  @Test
  void in_the_end_a_suspect_is_alone_until_it_has_stood_its_trial() {
    assertThat(Trials.mustBeAlone(suspect(1, 2))).isFalse();
    assertThat(Trials.mustBeAlone(suspect(1, 3))).isTrue();
    begin(1, 3);

    now += Duration.ofMinutes(9).toNanos();
    assertThat(trials.next()).isEmpty();

    now += Duration.ofMinutes(2).toNanos();
    assertThat(trials.next()).contains(Trial.ALONE);
  }

  @Test
  void one_that_must_be_alone_waits_for_those_that_are_there_and_nobody_overtakes_it() {
    now += begin(1, 0).toNanos();
    trials.postpone(suspect(7, 3));

    assertThat(trials.next()).isEmpty();
    assertThat(trials.alone()).isEmpty();
    trials.stood(1);

    assertThat(trials.next()).isEmpty();
    assertThat(trials.alone()).map(RunRow::key).contains(7L);
    assertThat(trials.next()).contains(Trial.ALONE);
  }

  @Test
  void only_what_was_alone_when_an_engine_died_is_held_until_very_many_have_died() {
    var alone = suspect(1, 0).withCrashes(new Suspicion(4).died(Trial.ALONE).crashes());
    assertThat(Trials.isOver(alone)).isTrue();
    assertThat(Trials.verdict(alone)).contains("R124", "5 engines");

    for (int shared = 0; shared < 8; shared++) {
      assertThat(Trials.isOver(suspect(1, shared))).as("%d", shared).isFalse();
    }
    assertThat(Trials.isOver(suspect(1, 8))).isTrue();
    assertThat(Trials.verdict(suspect(1, 8))).contains("12 engines");
  }

  @Test
  void those_that_were_postponed_are_given_up_when_the_engine_closes() {
    begin(1, 0);
    var row = suspect(2, 3);
    trials.postpone(row);

    assertThat(trials.postponed()).containsExactly(row);
    assertThat(trials.postponed()).isEmpty();

    trials.stood(1);
    assertThat(trials.alone()).isEmpty();
  }
}
