package dev.reprise.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final Duration DURATION = Duration.ofSeconds(10);
  private static final long SEEN = DURATION.toNanos() / 4 * 3;
  private static final long UNSEEN = Lease.GRACE.toNanos() / 2;

  private long now;
  private boolean present = true;
  private int absences;

  private final Lease lease = new Lease(machine(), store(), DURATION, 0);

  private Machine machine() {
    return proxy(Machine.class, _ -> now);
  }

  private Store store() {
    return proxy(
        Store.class,
        method ->
            switch (method) {
              case "isShared" -> true;
              case "isPresent" -> present;
              case "absences" -> absences;
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private interface Answers {
    Object to(String method);
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> answers.to(method.getName())));
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
}
