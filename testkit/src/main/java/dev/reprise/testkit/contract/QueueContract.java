package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.TaskSpec.NAME;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static dev.reprise.testkit.contract.TasksUnderTest.indexes;
import static dev.reprise.testkit.contract.TasksUnderTest.taking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueLimits;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.TaskStore.QueueCount;
import dev.reprise.engine.store.TaskStore.Take;
import dev.reprise.engine.store.WorkerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How much of a queue is handed out, to whom and for whom first. */
public interface QueueContract extends TasksUnderTest {

  /** So many activities of a key, in a run of its own. */
  private long waiting(TestNode node, String key, int count) {
    var specs =
        IntStream.range(0, count)
            .mapToObj(i -> activity(i + 2).key(key).visibleAt(NOON.plusMillis(i - count)))
            .toArray(TaskSpec[]::new);
    return scheduled(node, "of-" + key + "-" + UUID.randomUUID(), specs);
  }

  private static Map<String, Long> byKey(Map<Long, String> keys, List<Handout> taken) {
    return taken.stream()
        .collect(
            Collectors.groupingBy(
                handout -> keys.getOrDefault(handout.ref().run(), "?"), Collectors.counting()));
  }

  private void limit(QueueLimits limits) {
    tasks().limit(QUEUE, limits);
  }

  @Test
  default void a_queue_has_the_limits_that_it_was_given_last() {
    join();
    var limits =
        QueueLimits.none()
            .perWorker(3)
            .concurrency(10)
            .perKey(2)
            .rate(7, Duration.ofMinutes(1))
            .weight("tenant-1", 5);
    assertThat(tasks().limits(QUEUE)).isEqualTo(QueueLimits.none());

    limit(QueueLimits.none().concurrency(1));
    limit(limits);

    assertThat(tasks().limits(QUEUE)).isEqualTo(limits);
    assertThat(tasks().limits("cpu")).isEqualTo(QueueLimits.none());
  }

  @Test
  default void a_worker_has_no_more_than_one_may_have() {
    var node = join();
    waiting(node, "a", 10);
    limit(QueueLimits.none().perWorker(4));

    assertThat(takeWith(10, 1)).hasSize(3);
    assertThat(takeWith(10, 4)).isEmpty();
    assertThat(takeWith(10, 6)).isEmpty();
    assertThat(takeWith(1, 0)).hasSize(1);
  }

  private List<Handout> takeWith(int limit, int has) {
    var policies = Map.of(NAME, "");
    return tasks().take(new Take(UUID.randomUUID(), QUEUE, "host/1", policies, limit, has, NOON));
  }

  @Test
  default void all_workers_together_have_no_more_than_the_queue_may() {
    var node = join();
    waiting(node, "a", 10);
    limit(QueueLimits.none().concurrency(4));

    var first = take(3);
    assertThat(first).hasSize(3);
    assertThat(take(3)).hasSize(1);
    assertThat(take(3)).isEmpty();
    finish(first.get(0));
    again(first.get(1), NOON, NOON);
    leaveOpen(first.get(2));
    assertThat(take(10)).hasSize(3);
  }

  @Test
  default void limits_hold_from_when_they_are_changed() {
    var node = join();
    waiting(node, "a", 10);
    limit(QueueLimits.none().paused());
    assertThat(take(10)).isEmpty();

    limit(QueueLimits.none().concurrency(2));
    assertThat(take(10)).hasSize(2);
    limit(QueueLimits.none().concurrency(1));
    assertThat(take(10)).isEmpty();
    limit(QueueLimits.none());
    assertThat(take(10)).hasSize(8);
  }

  @Test
  default void limits_of_one_queue_are_none_of_another() {
    var node = join();
    limit(QueueLimits.none().paused());
    scheduled(node, "order-7", activity(2), activity(3).queue("cpu"));

    assertThat(take(10)).isEmpty();
    assertThat(indexes(tasks().take(taking("cpu", 10, NOON)))).containsExactly(3);
  }

  @Test
  default void a_key_has_no_more_than_one_may() {
    var node = join();
    var keys = Map.of(waiting(node, "a", 5), "a", waiting(node, "b", 1), "b");
    limit(QueueLimits.none().perKey(2));

    var first = take(10);

    assertThat(byKey(keys, first)).isEqualTo(Map.of("a", 2L, "b", 1L));
    assertThat(take(10)).isEmpty();
    finish(first.getFirst());
    assertThat(take(10).size()).isLessThanOrEqualTo(1);
    first.stream().skip(1).forEach(this::finish);
    assertThat(byKey(keys, take(10)).keySet()).containsExactly("a");
  }

  @Test
  default void what_begins_in_a_time_is_no_more_than_the_rate() {
    var node = join();
    waiting(node, "a", 10);
    limit(QueueLimits.none().rate(2, Duration.ofDays(10)));

    assertThat(tasks().nextReady(QUEUE)).isEmpty();
    assertThat(take(10)).hasSize(2);
    assertThat(take(10, NOON.plusSeconds(4))).isEmpty();
    assertThat(tasks().nextReady(QUEUE)).isPresent();
  }

  @Test
  default void a_rate_says_nothing_about_a_queue_on_which_nothing_waits() {
    var node = join();
    waiting(node, "a", 2);
    limit(QueueLimits.none().rate(2, Duration.ofDays(10)));

    assertThat(take(10)).hasSize(2);

    assertThat(tasks().nextReady(QUEUE)).isEmpty();
  }

  @Test
  default void what_was_taken_with_a_lost_answer_counts_once() {
    var node = join();
    waiting(node, "a", 10);
    limit(QueueLimits.none().concurrency(4).rate(4, Duration.ofDays(10)).fair());
    var take = taking(QUEUE, 3, NOON);

    assertThat(tasks().take(take)).hasSize(3);
    assertThat(tasks().take(take)).hasSize(3);

    assertThat(take(10)).hasSize(1);
  }

  @Test
  default void keys_take_turns_however_much_of_one_waits() {
    var node = join();
    var keys =
        Map.of(waiting(node, "a", 20), "a", waiting(node, "b", 3), "b", waiting(node, "c", 6), "c");
    limit(QueueLimits.none().fair());

    assertThat(byKey(keys, take(6))).isEqualTo(Map.of("a", 2L, "b", 2L, "c", 2L));
    assertThat(byKey(keys, take(5))).isEqualTo(Map.of("a", 2L, "b", 1L, "c", 2L));
    assertThat(take(100)).hasSize(18);
  }

  @Test
  default void turns_go_on_where_they_were() {
    var node = join();
    var keys = Map.of(waiting(node, "a", 9), "a", waiting(node, "b", 9), "b");
    limit(QueueLimits.none().fair());

    var one = byKey(keys, take(1)).keySet();
    var two = byKey(keys, take(1)).keySet();

    assertThat(one).doesNotContainAnyElementsOf(two);
    assertThat(byKey(keys, take(4))).isEqualTo(Map.of("a", 2L, "b", 2L));
  }

  @Test
  default void a_key_has_as_many_turns_as_it_weighs() {
    var node = join();
    var keys = Map.of(waiting(node, "a", 20), "a", waiting(node, "b", 20), "b");
    limit(QueueLimits.none().weight("a", 3));

    assertThat(byKey(keys, take(8))).isEqualTo(Map.of("a", 6L, "b", 2L));
  }

  @Test
  default void of_a_key_the_longest_ready_come_first() {
    var node = join();
    waiting(node, "a", 5);
    limit(QueueLimits.none().fair());

    assertThat(indexes(take(2))).containsExactlyInAnyOrder(2, 3);
    assertThat(indexes(take(2))).containsExactlyInAnyOrder(4, 5);
  }

  @Test
  default void what_is_more_urgent_comes_before_turns() {
    var node = join();
    limit(QueueLimits.none().fair());
    scheduled(
        node,
        "order-7",
        activity(2).key("a").priority(1),
        activity(3).key("b").priority(1),
        activity(4).key("a"),
        activity(5).key("a"),
        activity(6).key("a"));

    assertThat(indexes(take(4))).contains(4, 5, 6);
    assertThat(take(10)).hasSize(1);
  }

  @Test
  default void turns_leave_out_what_a_worker_has_not_and_nobody_wants() {
    var node = join();
    limit(QueueLimits.none().fair());
    long run =
        scheduled(
            node,
            "order-7",
            activity(2).key("a").name("Images.crop"),
            activity(3).key("a"),
            activity(4).key("b"),
            activity(5).key("c"));
    node.store(TasksUnderTest.cancelling(run, 6, 4));

    assertThat(indexes(take(10))).containsExactlyInAnyOrder(3, 5);
  }

  // ---- what is on queues ------------------------------------------------------------------------

  @Test
  default void it_is_known_how_much_is_on_a_queue() {
    var node = join();
    var oldest = NOON.minusSeconds(7);
    scheduled(
        node,
        "order-7",
        activity(2).priority(-2),
        activity(3).priority(-1),
        activity(4),
        activity(5).visibleAt(oldest).priority(5),
        activity(6).visibleAt(NOON.plusSeconds(1)),
        activity(7).queue("cpu").visibleAt(NOON.plusSeconds(1)));
    tasks().limit("idle", QueueLimits.none().paused());
    var taken = take(2);
    leaveOpen(taken.getFirst());

    var gpu = new QueueCount(QUEUE, 2, 1, 1, 1, 0, oldest);
    var cpu = new QueueCount("cpu", 0, 1, 0, 0, 0, null);
    var idle = new QueueCount("idle", 0, 0, 0, 0, 0, null);
    assertThat(tasks().count(QUEUE)).containsExactly(gpu);
    assertThat(tasks().count(null)).containsExactlyInAnyOrder(gpu, cpu, idle);
    assertThat(tasks().count("unknown"))
        .containsExactly(new QueueCount("unknown", 0, 0, 0, 0, 0, null));
  }

  // ---- who serves them --------------------------------------------------------------------------

  @Test
  default void it_is_known_who_serves_a_queue() {
    join();
    var one = worker("gpu", NOON);
    var two = worker("cpu", NOON.plusSeconds(5));

    tasks().serve(one);
    tasks().serve(two);

    assertThat(tasks().workers(NOON)).containsExactlyInAnyOrder(one, two);
    assertThat(tasks().workers(NOON.plusSeconds(1))).containsExactly(two);
    var again =
        new WorkerRow(
            one.worker(), "gpu", "host/1", 16, List.of("Images.crop"), NOON.plusSeconds(9));
    tasks().serve(again);
    assertThat(tasks().workers(NOON.plusSeconds(1))).containsExactlyInAnyOrder(again, two);
    tasks().leave(two.worker());
    tasks().leave(UUID.randomUUID());
    assertThat(tasks().workers(NOON)).containsExactly(again);
  }

  @Test
  default void who_was_not_heard_of_for_a_day_is_forgotten() {
    join();
    var one = worker("gpu", NOON);
    tasks().serve(one);

    assertThat(tasks().workers(NOON.plus(Duration.ofHours(23)))).isEmpty();
    assertThat(tasks().workers(NOON)).containsExactly(one);
    assertThat(tasks().workers(NOON.plus(Duration.ofHours(25)))).isEmpty();
    assertThat(tasks().workers(NOON)).isEmpty();
  }

  private static WorkerRow worker(String queue, Instant seenAt) {
    var names = List.of(NAME, "Images.\"crop\"");
    return new WorkerRow(UUID.randomUUID(), queue, "host/1", 8, names, seenAt);
  }

  @Test
  default void it_is_known_what_has_waited_on_a_queue() {
    var node = join();
    scheduled(
        node,
        "w",
        TaskSpec.activity(2),
        TaskSpec.activity(3).visibleAt(NOON.minusSeconds(9)),
        TaskSpec.activity(4).name("Images.crop").priority(7),
        TaskSpec.activity(5).name("Images.print").visibleAt(NOON.plusSeconds(60)),
        TaskSpec.activity(6).queue("cpu").name("Texts.count"));

    assertThat(tasks().namesWaiting(TaskSpec.QUEUE, NOON.plusSeconds(1)))
        .isEqualTo(Map.of(TaskSpec.NAME, NOON.minusSeconds(9), "Images.crop", NOON));
    assertThat(tasks().namesWaiting("cpu", NOON.plusSeconds(1)))
        .isEqualTo(Map.of("Texts.count", NOON));
    assertThat(tasks().namesWaiting("none", NOON.plusSeconds(1))).isEmpty();
    assertThat(store().count(Filter.parse("waitsFor = activity", NOON.minusSeconds(1)))).isOne();
  }
}
