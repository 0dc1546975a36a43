package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a batch does to runs and their histories. */
public interface CommitContract extends StoreUnderTest {

  @Test
  default void a_start_stores_the_run_and_its_first_event() {
    var node = join();
    var run = node.run("order-7");

    var outcomes = node.commit(new Start(run, event(1)));

    assertThat(outcomes).containsExactly(Outcome.STORED);
    assertThat(store().find("order-7")).contains(run);
    assertThat(node.history(run.key())).usingRecursiveComparison().isEqualTo(List.of(event(1)));
  }

  @Test
  default void a_workflow_id_is_taken_once() {
    var node = join();
    var first = node.run("order-7");
    var second = node.run("order-7");

    var outcomes = node.commit(new Start(first, event(1)), new Start(second, event(1)));

    assertThat(outcomes).containsExactly(Outcome.STORED, Outcome.EXISTS);
    assertThat(store().find("order-7")).contains(first);
    assertThat(node.history(second.key())).isEmpty();
  }

  @Test
  default void a_workflow_id_stays_taken_when_its_run_has_closed() {
    var node = join();
    node.store(close(node.start("order-7"), 2));

    var outcomes = node.commit(new Start(node.run("order-7"), event(1)));

    assertThat(outcomes).containsExactly(Outcome.EXISTS);
    assertThat(store().find("order-7").orElseThrow().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  default void a_run_may_start_and_go_on_and_close_in_one_batch() {
    var node = join();
    var run = node.run("order-7");

    node.store(new Start(run, event(1)), append(run.key(), 2, 4), close(run.key(), 5));

    assertThat(store().find("order-7").orElseThrow().status()).isEqualTo(Status.COMPLETED);
    assertThat(node.history(run.key())).extracting(EventRow::index).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  default void events_come_back_as_they_were() {
    var node = join();
    long run = node.start("order-7");
    var plain = new EventRow(2, NOON, 11, null, bytes("{}"), null);
    var empty = new EventRow(3, NOON, 2, "Größe.java:1", bytes("{\"id\":\"Größe:1\"}"), bytes(""));
    var binary = new EventRow(4, NOON.plusNanos(1_000), 2, "", bytes("{}"), new byte[] {0, -1, 0});

    node.store(new Append(run, List.of(plain, empty, binary), List.of(), new RunChange.None()));

    assertThat(store().history(run, 2, 10))
        .usingRecursiveComparison()
        .isEqualTo(List.of(plain, empty, binary));
  }

  @Test
  default void an_event_alone_leaves_the_row_as_it_is() {
    var node = join();
    var run = node.run("order-7");
    node.start(run);

    node.store(append(run.key(), 2, 2));

    assertThat(store().find("order-7")).contains(run);
  }

  @Test
  default void a_large_batch_is_stored_whole() {
    var node = join();
    var runs = IntStream.range(0, 150).mapToLong(i -> node.start("order-" + i)).toArray();

    node.store(
        IntStream.range(0, runs.length)
            .mapToObj(i -> append(runs[i], 2, 2 + i % 5))
            .toArray(Append[]::new));

    for (int i = 0; i < runs.length; i++) {
      assertThat(node.history(runs[i]))
          .extracting(EventRow::index)
          .containsExactlyElementsOf(IntStream.rangeClosed(1, 2 + i % 5).boxed().toList());
    }
  }

  @Test
  default void an_empty_batch_counts() {
    var node = join();

    assertThat(node.commit()).isEmpty();
    assertThat(node.commit()).isEmpty();
  }

  @Test
  default void an_index_that_is_taken_refuses_the_batch_and_nothing_is_stored() {
    var node = join();
    long first = node.start("order-7");
    long second = node.start("order-8");
    var batch =
        new Append[] {append(first, 2, 3, new RunChange.WakeAt(null)), append(second, 1, 1)};

    assertThatThrownBy(() -> node.commit(batch)).isInstanceOf(TransitionRefused.class);
    assertThat(node.history(first)).hasSize(1);
    assertThat(store().find("order-7").orElseThrow().wakeAt()).isEqualTo(NOON);
  }

  @Test
  default void after_a_refused_batch_the_node_goes_on_with_the_same_sequence() {
    var node = join();
    long run = node.start("order-7");
    assertThatThrownBy(() -> node.commit(append(run, 2, 2), append(run, 1, 1)))
        .isInstanceOf(TransitionRefused.class);

    node.store(append(run, 2, 2));

    assertThat(node.history(run)).hasSize(2);
  }

  @Test
  default void a_refused_start_leaves_the_workflow_id_free() {
    var node = join();
    long taken = node.start("order-7");
    var run = node.run("order-8");

    assertThatThrownBy(() -> node.commit(new Start(run, event(1)), append(taken, 1, 1)))
        .isInstanceOf(TransitionRefused.class);

    node.store(new Start(run, event(1)));
  }

  @Test
  default void a_run_key_that_is_taken_is_refused() {
    var node = join();
    var first = node.run("order-7");
    node.start(first);
    var second = withKey(node.run("order-8"), first.key());

    assertThatThrownBy(() -> node.commit(new Start(second, event(1))))
        .isInstanceOf(TransitionRefused.class);
    assertThat(store().find("order-8")).isEmpty();
  }

  private static RunRow withKey(RunRow run, long key) {
    return new RunRow(
        key,
        run.runId(),
        run.workflowId(),
        run.workflow(),
        run.status(),
        run.owner(),
        run.wakeAt(),
        run.startedAt(),
        run.closedAt(),
        run.blockedBy(),
        run.crashes());
  }

  @Test
  default void a_start_for_another_node_is_refused() {
    var run = join().run("order-7");
    var node = join();

    assertThatThrownBy(() -> node.commit(new Start(run, event(1))))
        .isInstanceOf(TransitionRefused.class);
  }

  @Test
  default void what_is_not_stored_does_not_hinder_the_others() {
    var node = join();
    long run = node.start("order-7");

    var outcomes =
        node.commit(
            new Start(node.run("order-7"), event(1)),
            append(run, 2, 2),
            append(9_999, 2, 2),
            new Start(node.run("order-8"), event(1)));

    assertThat(outcomes)
        .containsExactly(Outcome.EXISTS, Outcome.STORED, Outcome.NOT_OPEN, Outcome.STORED);
    assertThat(node.history(run)).hasSize(2);
    assertThat(store().find("order-8")).isPresent();
  }

  @Test
  default void a_run_that_could_not_start_takes_no_events() {
    var node = join();
    node.start("order-7");
    var run = node.run("order-7");

    var outcomes = node.commit(new Start(run, event(1)), append(run.key(), 2, 2));

    assertThat(outcomes).containsExactly(Outcome.EXISTS, Outcome.NOT_OPEN);
    assertThat(node.history(run.key())).isEmpty();
  }

  @Test
  default void a_closed_run_takes_no_events() {
    var node = join();
    long run = node.start("order-7");

    var outcomes = node.commit(close(run, 2), append(run, 3, 3), close(run, 3));

    assertThat(outcomes).containsExactly(Outcome.STORED, Outcome.NOT_OPEN, Outcome.NOT_OPEN);
    assertThat(node.history(run)).hasSize(2);
  }

  @Test
  default void closing_says_how_and_when_and_frees_the_run() {
    var node = join();
    long run = node.start("order-7");
    var at = NOON.plusSeconds(5);

    node.store(append(run, 2, 2, new RunChange.Close(Status.FAILED, at)));

    var row = store().find("order-7").orElseThrow();
    assertThat(row.status()).isEqualTo(Status.FAILED);
    assertThat(row.closedAt()).isEqualTo(at);
    assertThat(row.owner()).isNull();
    assertThat(row.wakeAt()).isNull();
  }

  @Test
  default void a_run_is_due_when_its_owner_says() {
    var node = join();
    long run = node.start("order-7");
    var later = NOON.plusSeconds(3_600);

    node.store(append(run, 2, 2, new RunChange.WakeAt(later)));
    assertThat(store().find("order-7").orElseThrow().wakeAt()).isEqualTo(later);

    node.change(run, new RunChange.WakeAt(null));
    var row = store().find("order-7").orElseThrow();
    assertThat(row.wakeAt()).isNull();
    assertThat(row.owner()).isEqualTo(node.id());
  }

  @Test
  default void a_released_run_is_nobodys() {
    var node = join();
    long run = node.start("order-7");

    node.change(run, new RunChange.Release(NOON.plusSeconds(1)));

    var row = store().find("order-7").orElseThrow();
    assertThat(row.owner()).isNull();
    assertThat(row.wakeAt()).isEqualTo(NOON.plusSeconds(1));
  }

  @Test
  default void a_blocked_run_says_why_and_takes_no_events() {
    var node = join();
    long run = node.start("order-7");
    node.change(run, new RunChange.Block("R101 …"));

    var outcomes = node.commit(append(run, 2, 2), append(run, 2, 2, new RunChange.WakeAt(NOON)));

    assertThat(outcomes).containsExactly(Outcome.NOT_OPEN, Outcome.NOT_OPEN);
    var row = store().find("order-7").orElseThrow();
    assertThat(row.status()).isEqualTo(Status.BLOCKED);
    assertThat(row.blockedBy()).isEqualTo("R101 …");
    assertThat(row.owner()).isNull();
    assertThat(row.wakeAt()).isNull();
    assertThat(node.history(run)).hasSize(1);
  }

  @Test
  default void an_unblocked_run_is_due_and_takes_events_again() {
    var node = join();
    long run = node.start("order-7");
    node.change(run, new RunChange.Block("R101 …"));

    node.change(run, new RunChange.Unblock(NOON.plusSeconds(9)));

    var row = store().find("order-7").orElseThrow();
    assertThat(row.status()).isEqualTo(Status.RUNNING);
    assertThat(row.wakeAt()).isEqualTo(NOON.plusSeconds(9));
    assertThat(row.blockedBy()).isNull();
    assertThat(node.claim(NOON.plusSeconds(9))).containsExactly("order-7");
    node.store(append(run, 2, 2));
  }

  @Test
  default void only_a_blocked_run_is_unblocked() {
    var node = join();
    long running = node.start("order-7");
    long closed = node.start("order-8");
    node.store(close(closed, 2));
    var unblock = new RunChange.Unblock(NOON);

    var outcomes =
        node.commit(
            new Append(running, List.of(), List.of(), unblock),
            new Append(closed, List.of(), List.of(), unblock),
            new Append(9_999, List.of(), List.of(), unblock));

    assertThat(outcomes).containsOnly(Outcome.NOT_OPEN);
    assertThat(store().find("order-7").orElseThrow().owner()).isEqualTo(node.id());
  }

  @Test
  default void a_blocked_run_may_be_closed() {
    var node = join();
    long run = node.start("order-7");
    node.change(run, new RunChange.Block("R101 …"));

    node.store(close(run, 2));

    var row = store().find("order-7").orElseThrow();
    assertThat(row.status()).isEqualTo(Status.COMPLETED);
    assertThat(row.blockedBy()).isNull();
  }

  @Test
  default void a_run_may_start_without_an_owner() {
    var node = join();
    var owned = node.run("order-7");
    var run =
        new RunRow(
            owned.key(),
            UUID.randomUUID(),
            "order-7",
            "Checkout",
            Status.RUNNING,
            null,
            NOON,
            NOON,
            null,
            null,
            0);

    node.start(run);

    assertThat(store().find("order-7")).contains(run);
  }
}
