package dev.reprise.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final Duration DURATION = Duration.ofSeconds(10);
  private static final long SEEN = DURATION.toNanos() / 4 * 3;
  private static final long UNSEEN = Lease.GRACE.toNanos() / 2;

  private long now;
  private boolean present = true;
  private int absences;
  private int lostAnswers; // of the next commits
  private final List<Batch> sent = new ArrayList<>();

  private final Lease lease = new Lease(machine(), store(), DURATION, 0);

  private Machine machine() {
    return proxy(
        Machine.class,
        (method, _) -> {
          if (!method.equals("park")) return now;
          now += SEEN; // the pause between two tries
          return null;
        });
  }

  private Store store() {
    return proxy(
        Store.class,
        (method, arguments) ->
            switch (method) {
              case "isShared" -> true;
              case "isPresent" -> present;
              case "absences" -> absences;
              case "commit" -> committed((Batch) arguments[0]);
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private List<Outcome> committed(Batch batch) {
    sent.add(batch);
    if (lostAnswers-- > 0) throw new StoreUnavailable("the answer was lost", null);
    return List.of();
  }

  private interface Calls {
    @Nullable Object answer(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> calls.answer(method.getName(), arguments)));
  }

  private boolean isHeldAt(long nanos) {
    now = nanos;
    return lease.isHeld();
  }

  @Test
  void it_is_held_for_three_quarters_of_its_time() {
    assertThat(isHeldAt(SEEN - 1)).isTrue();
    assertThat(isHeldAt(SEEN)).isFalse();
  }

  @Test
  void it_counts_from_when_the_last_batch_was_sent() {
    lease.renew(1_000, lease.presence());

    assertThat(isHeldAt(SEEN + 999)).isTrue();
    assertThat(isHeldAt(SEEN + 1_000)).isFalse();
  }

  @Test
  void a_batch_renews_it_often_and_when_others_did_not_see_this_process() {
    assertThat(isDueAt(Lease.OFTEN.toNanos() - 1)).isFalse();
    assertThat(isDueAt(Lease.OFTEN.toNanos())).isTrue();

    lease.renew(now, lease.presence());
    assertThat(isDueAt(now)).isFalse();

    absences = 1;
    assertThat(isDueAt(now)).isTrue();

    present = false;
    lease.renew(now, lease.presence());
    assertThat(isDueAt(now)).isTrue();
  }

  @Test
  void a_batch_renews_a_short_one_from_a_third_of_its_time_on() {
    var brief = new Lease(machine(), store(), Duration.ofMillis(300), 0);

    now = Duration.ofMillis(100).toNanos() - 1;
    assertThat(brief.isDue()).isFalse();
    now = Duration.ofMillis(100).toNanos();
    assertThat(brief.isDue()).isTrue();
  }

  private boolean isDueAt(long nanos) {
    now = nanos;
    return lease.isDue();
  }

  @Test
  void who_cannot_be_seen_holds_it_for_less_than_the_others_are_patient() {
    present = false;

    assertThat(isHeldAt(UNSEEN - 1)).isTrue();
    assertThat(isHeldAt(UNSEEN)).isFalse();
  }

  @Test
  void who_was_away_and_is_back_may_have_been_fenced_and_needs_a_new_batch() {
    absences = 1;
    assertThat(isHeldAt(SEEN - 1)).isFalse();

    lease.renew(SEEN, lease.presence());
    assertThat(isHeldAt(SEEN + UNSEEN)).isTrue();
  }

  @Test
  void a_batch_that_was_sent_before_the_absence_is_no_proof() {
    int before = lease.presence();
    absences = 1;
    lease.renew(SEEN, before);

    assertThat(isHeldAt(SEEN + UNSEEN)).isFalse();
  }

  @Test
  void nor_is_one_that_was_sent_during_the_absence() {
    absences = 1;
    present = false;
    lease.renew(SEEN, lease.presence());
    present = true;

    assertThat(isHeldAt(SEEN + UNSEEN - 1)).isTrue();
    assertThat(isHeldAt(SEEN + UNSEEN)).isFalse();
  }

  /** The store has its receipt and does nothing the second time. */
  @Test
  void a_repeated_batch_counts_from_when_it_was_sent_first() {
    now = Lease.OFTEN.toNanos();
    lostAnswers = 1;

    committer().commit(List.of());

    assertThat(sent).hasSize(2).allMatch(Batch::renews);
    assertThat(lease.isHeld()).isFalse();
    assertThat(isHeldAt(Lease.OFTEN.toNanos() + SEEN - 1)).isTrue();
  }

  /** If the first try is committed and did not renew the lease, the second one cannot. */
  @Test
  void a_repeated_batch_renews_nothing_if_it_did_not_the_first_time() {
    lostAnswers = 1;

    committer().commit(List.of());

    assertThat(sent).hasSize(2).noneMatch(Batch::renews);
    assertThat(lease.isHeld()).isFalse();
  }

  private Committer committer() {
    var end = new JournalEnd(machine(), proxy(Journal.Listener.class, (_, _) -> null));
    return new Committer(machine(), store(), new UUID(0, 1), lease, end, new Answers(machine()));
  }
}
