package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.journal.Lease;
import dev.reprise.engine.store.NodeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AbsencesTest {
  private static final UUID SELF = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final long GRACE = Lease.GRACE.toNanos();

  private final Absences absences = new Absences(host -> host.equals("here/ended"));

  private static NodeRow node(UUID id, boolean present, boolean silent, long sequence) {
    return new NodeRow(
        id,
        "elsewhere/1",
        false,
        Instant.EPOCH,
        LEASE,
        Instant.EPOCH,
        silent,
        present,
        false,
        sequence);
  }

  private List<UUID> gone(long nanos, NodeRow... nodes) {
    return gone(nanos, nanos, nodes);
  }

  private List<UUID> gone(long from, long until, NodeRow... nodes) {
    var look = new Absences.Look(from, until);
    return absences.gone(SELF, List.of(nodes), look).stream().map(NodeRow::node).toList();
  }

  @Test
  void a_process_that_stands_still_during_a_look_does_not_take_that_time_for_silence() {
    assertThat(gone(0, GRACE, node(OTHER, false, false, 5))).isEmpty();
    assertThat(gone(2 * GRACE - 1, 50 * GRACE, node(OTHER, false, false, 5))).isEmpty();
    assertThat(gone(60 * GRACE, 60 * GRACE, node(OTHER, false, false, 5))).containsExactly(OTHER);
  }

  @Test
  void who_is_there_and_not_silent_is_alive() {
    assertThat(gone(0, node(OTHER, true, false, 5))).isEmpty();
    assertThat(gone(GRACE * 100, node(OTHER, true, false, 6))).isEmpty();
  }

  /** The clock of the database was set back behind its last renewal. */
  @Test
  void one_that_does_not_renew_its_lease_is_gone_whatever_the_clock_of_the_database_says() {
    long lease = LEASE.toNanos();
    assertThat(gone(0, node(OTHER, true, false, 5))).isEmpty();
    assertThat(gone(lease + GRACE - 1, node(OTHER, true, false, 5))).isEmpty();
    assertThat(gone(lease + GRACE, node(OTHER, true, false, 5))).containsExactly(OTHER);
  }

  @Test
  void who_has_disappeared_is_gone_after_a_moment_of_grace() {
    assertThat(gone(0, node(OTHER, false, false, 5))).isEmpty();
    assertThat(gone(GRACE - 1, node(OTHER, false, false, 5))).isEmpty();
    assertThat(gone(GRACE, node(OTHER, false, false, 5))).containsExactly(OTHER);
  }

  @Test
  void who_was_there_in_between_gets_the_grace_anew() {
    gone(0, node(OTHER, false, false, 5));
    gone(GRACE / 2, node(OTHER, true, false, 5));
    assertThat(gone(GRACE, node(OTHER, false, false, 5))).isEmpty();
    assertThat(gone(2 * GRACE, node(OTHER, false, false, 5))).containsExactly(OTHER);
  }

  @Test
  void who_has_committed_in_between_is_alive() {
    gone(0, node(OTHER, false, false, 5));
    assertThat(gone(GRACE, node(OTHER, false, false, 6))).isEmpty();
    assertThat(gone(2 * GRACE, node(OTHER, false, false, 6))).containsExactly(OTHER);
  }

  @Test
  void who_is_silent_beyond_the_lease_by_both_clocks_is_gone() {
    assertThat(gone(0, node(OTHER, true, false, 5))).isEmpty();
    assertThat(gone(LEASE.toNanos() - 1, node(OTHER, true, true, 5))).isEmpty();
    assertThat(gone(LEASE.toNanos(), node(OTHER, true, true, 5))).containsExactly(OTHER);
  }

  @Test
  void a_clock_of_the_database_that_was_set_forward_makes_nobody_silent() {
    gone(0, node(OTHER, true, false, 5));
    assertThat(gone(LEASE.toNanos() / 2, node(OTHER, true, true, 5))).isEmpty();
    assertThat(gone(LEASE.toNanos() * 2, node(OTHER, true, false, 6))).isEmpty();
  }

  @Test
  void after_a_time_without_a_database_everybody_may_show_himself_first() {
    gone(0, node(OTHER, true, false, 5));
    absences.lookFailed();
    assertThat(gone(LEASE.toNanos() * 2, node(OTHER, true, true, 5))).isEmpty();
    assertThat(gone(LEASE.toNanos() * 3, node(OTHER, true, true, 5))).containsExactly(OTHER);
  }

  @Test
  void a_process_that_is_known_to_have_ended_gets_no_grace() {
    var ended =
        new NodeRow(
            OTHER,
            "here/ended",
            false,
            Instant.EPOCH,
            LEASE,
            Instant.EPOCH,
            false,
            false,
            false,
            5);

    assertThat(gone(0, ended)).containsExactly(OTHER);
  }

  @Test
  void oneself_the_fenced_and_clients_are_left_alone() {
    var fenced =
        new NodeRow(OTHER, "a/1", false, Instant.EPOCH, LEASE, Instant.EPOCH, true, false, true, 5);
    var client =
        new NodeRow(OTHER, "a/1", true, Instant.EPOCH, LEASE, Instant.EPOCH, true, false, false, 5);

    assertThat(gone(0, node(SELF, false, true, 5), fenced, client)).isEmpty();
    assertThat(gone(GRACE * 100, node(SELF, false, true, 5), fenced, client)).isEmpty();
  }
}
