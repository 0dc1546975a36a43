package dev.reprise.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GatheringTest {
  private static final long COMMIT = 400_000;

  private final Gathering gathering = new Gathering();

  @Test
  void nobody_is_waited_for_after_a_lone_workflow() {
    gathering.committed(1, COMMIT);

    assertThat(gathering.expected()).isLessThan(2);
  }

  @Test
  void most_of_those_who_were_told_are_waited_for_and_less_long_than_a_commit() {
    gathering.committed(16, COMMIT);

    assertThat(gathering.expected()).isEqualTo(14);
    assertThat(gathering.limitNanos()).isEqualTo(300_000);
  }

  @Test
  void very_many_are_not_waited_for() {
    gathering.committed(1_000, COMMIT);

    assertThat(gathering.expected()).isLessThan(2);
  }

  @Test
  void nobody_is_waited_for_when_a_commit_takes_no_time() {
    gathering.committed(16, 5_000);

    assertThat(gathering.expected()).isLessThan(2);
  }

  @Test
  void a_slow_disk_does_not_make_the_wait_long() {
    gathering.committed(16, 50_000_000);

    assertThat(gathering.limitNanos()).isEqualTo(1_000_000);
  }

  @Test
  void where_nobody_comes_back_it_is_tried_less_and_less() {
    gathering.committed(16, COMMIT);
    int tried = 0;
    for (int batch = 0; batch < 10_000; batch++) {
      if (gathering.expected() < 2) continue;
      tried++;
      gathering.gathered(1);
    }

    assertThat(tried).isBetween(10, 20);
  }

  @Test
  void where_they_come_back_it_is_tried_each_time() {
    gathering.committed(16, COMMIT);
    for (int batch = 0; batch < 100; batch++) {
      assertThat(gathering.expected()).isEqualTo(14);
      gathering.gathered(15);
    }
  }
}
