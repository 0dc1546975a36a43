package dev.reprise.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.RepriseException;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalTest {
  private static final long BAD = 666;

  private final List<Store.Batch> committed = new CopyOnWriteArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private boolean inProcess = true;
  private Machine machine = Machine.REAL;
  private CallBudget budget = new CallBudget(1 << 20);
  private Journal journal = open(this::store);

  @AfterEach
  void close() {
    release.countDown();
    journal.close();
  }

  @Test
  void what_gathers_during_a_commit_is_committed_together_and_in_order() throws Exception {
    journal.close();
    journal = open(batch -> committed.isEmpty() ? heldUp(batch) : store(batch));
    var first = journal.append(append(1));
    await(() -> !told.isEmpty());
    var rest = new ArrayList<Ticket>();
    for (int i = 2; i <= 100; i++) rest.add(journal.append(append(i)));

    release.countDown();
    first.await();
    for (var ticket : rest) ticket.await();

    assertThat(committed).hasSize(2);
    assertThat(runs(committed.getLast())).isSorted().hasSize(99);
    assertThat(committed.stream().map(Store.Batch::sequence)).containsExactly(1L, 2L);
  }

  @Test
  void the_lease_is_renewed_by_a_batch_when_it_is_time() {
    journal.close();
    journal = open(this::store, Duration.ofSeconds(30));

    for (int i = 1; i <= 3; i++) journal.append(append(i)).await();

    assertThat(committed.stream().map(Store.Batch::renews)).containsExactly(true, false, false);
  }

  @Test
  void who_closes_while_the_writer_waits_for_more_does_not_wait_for_ever() throws Exception {
    for (int round = 0; round < 50; round++) {
      var slow = open(this::storeSlowly);
      var tickets = new ArrayList<Ticket>();
      for (int i = 1; i <= 16; i++) tickets.add(slow.append(append(i)));
      for (var ticket : tickets) ticket.await();

      var closing = Thread.ofPlatform().start(slow::close);

      assertThat(closing.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void a_transition_that_is_refused_does_not_take_the_others_with_it() {
    journal.close();
    journal = open(batch -> runs(batch).contains(BAD) ? refuse() : store(batch));
    var tickets = new ArrayList<Ticket>();
    for (long run : List.of(1L, 2L, BAD, 3L, 4L)) tickets.add(journal.append(append(run)));

    for (int i : List.of(0, 1, 3, 4)) {
      assertThat(tickets.get(i).await()).isEqualTo(Outcome.STORED);
    }
    assertThatThrownBy(() -> tickets.get(2).await()).hasMessageStartingWith("R121");
    assertThat(committed.stream().flatMap(batch -> runs(batch).stream()))
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(told).containsExactly("refused " + BAD);
  }

  @Test
  void a_transition_that_cannot_be_sent_does_not_take_the_others_with_it() {
    journal.close();
    journal = open(batch -> runs(batch).contains(BAD) ? overflow() : store(batch));
    var tickets = new ArrayList<Ticket>();
    for (long run : List.of(1L, 2L, BAD, 3L, 4L)) tickets.add(journal.append(append(run)));

    for (int i : List.of(0, 1, 3, 4)) {
      assertThat(tickets.get(i).await()).isEqualTo(Outcome.STORED);
    }
    assertThatThrownBy(() -> tickets.get(2).await())
        .hasMessageStartingWith("R121")
        .hasMessageContaining("long overflow");
    assertThat(told).containsExactly("refused " + BAD);
    assertThat(committed.stream().map(Store.Batch::sequence).toList())
        .as("each commit has the next number")
        .isEqualTo(LongStream.rangeClosed(1, committed.size()).boxed().toList());
  }

  @Test
  void what_a_run_has_queued_behind_a_refused_transition_leaves_no_gap_in_its_history() {
    journal.close();
    var bad = new Transition.Append(BAD, List.of(), List.of(1L), new RunChange.None());
    journal = open(batch -> batch.transitions().contains(bad) ? overflow() : store(batch));
    var first = journal.append(bad);
    var behind = journal.append(append(BAD));
    var other = journal.append(append(1));

    assertThat(other.await()).isEqualTo(Outcome.STORED);
    assertThatThrownBy(first::await).hasMessageStartingWith("R121");
    assertThatThrownBy(behind::await).hasMessageStartingWith("R121");
    assertThatThrownBy(() -> journal.append(append(BAD)).await()).hasMessageStartingWith("R121");

    journal.isAsStored(BAD);

    assertThat(journal.append(append(BAD)).await()).isEqualTo(Outcome.STORED);
  }

  @Test
  void what_follows_from_a_refused_transition_is_not_stored() {
    journal.close();
    var bad = new Transition.Append(BAD, List.of(), List.of(1L), new RunChange.None());
    journal = open(batch -> batch.transitions().contains(bad) ? overflow() : store(batch));
    var asked = journal.append(bad);
    var started = journal.appendBehind(asked, append(2));
    var other = journal.append(append(1));

    assertThat(other.await()).isEqualTo(Outcome.STORED);
    assertThatThrownBy(started::await).hasMessageStartingWith("R121");
    assertThatThrownBy(() -> journal.appendBehind(asked, append(2)).await())
        .hasMessageStartingWith("R121");
    var stored = journal.append(append(3));
    assertThat(journal.appendBehind(stored, append(2)).await()).isEqualTo(Outcome.STORED);
    assertThat(committed).flatExtracting(JournalTest::runs).containsOnlyOnce(2L);
  }

  @Test
  void what_a_caller_asks_of_a_run_too_late_leaves_the_run_alone() {
    journal.close();
    var late = new Transition.Append(BAD, List.of(), List.of(1L), new RunChange.None());
    journal = open(batch -> batch.transitions().contains(late) ? overflow() : store(batch));

    assertThatThrownBy(() -> journal.appendCall(late).await()).hasMessageStartingWith("R121");

    assertThat(told).isEmpty();
    assertThat(journal.append(append(BAD)).await()).isEqualTo(Outcome.STORED);
  }

  @Test
  void a_store_that_cannot_store_anything_ends_the_journal_and_blames_no_run() {
    journal.close();
    journal = open(_ -> overflow());

    assertThatThrownBy(() -> journal.append(append(1)).await()).hasMessageStartingWith("R143");
    assertThat(told).containsExactly("stopped");
  }

  @Test
  void an_error_ends_the_journal_and_those_whose_commit_was_under_way_are_left_in_doubt() {
    journal.close();
    journal = open(_ -> full());

    assertThatThrownBy(() -> journal.append(append(1)).await()).hasMessageStartingWith("R123");
    assertThatThrownBy(() -> journal.append(append(2)).await()).hasMessageStartingWith("R143");
    assertThat(told).containsExactly("stopped");
  }

  @Test
  void a_journal_that_is_stopped_gives_up_a_database_that_is_away() {
    journal.close();
    var asked = new CountDownLatch(1);
    journal =
        open(
            _ -> {
              asked.countDown();
              throw new Store.StoreUnavailable("away", null);
            });
    var ticket = journal.append(append(1));
    awaitUninterrupted(asked);

    journal.stop(new IllegalStateException("an error elsewhere"));

    assertThatThrownBy(ticket::await).as("it may be stored").hasMessageStartingWith("R123");
    assertThatThrownBy(() -> journal.append(append(2)).await()).hasMessage("an error elsewhere");
    assertThat(told).containsExactly("stopped");
  }

  @Test
  void one_who_fails_when_told_keeps_no_other_from_its_turn() {
    inProcess = false;
    journal.close();
    journal = open(batch -> committed.isEmpty() ? heldUp(batch) : store(batch));
    var first = journal.append(append(1));
    await(() -> !told.isEmpty());
    var second = journal.append(append(2));
    var third = journal.append(append(3));
    var heard = new CopyOnWriteArrayList<String>();
    second.onDone((_, _) -> heard.add("before"));
    second.onDone((_, _) -> overflow());
    second.onDone((_, _) -> heard.add("behind"));

    release.countDown();

    assertThat(first.await()).isEqualTo(Outcome.STORED);
    assertThat(third.await()).isEqualTo(Outcome.STORED);
    assertThat(heard).containsExactlyInAnyOrder("before", "behind");
    assertThat(told).contains("refused 2"); // its run is not what the store has
    assertThat(journal.append(append(4)).await()).isEqualTo(Outcome.STORED);
  }

  // ---- calls ------------------------------------------------------------------------------------

  @Test
  void calls_beyond_the_budget_are_refused_until_the_database_has_answered() {
    journal.close();
    inProcess = false;
    budget = new CallBudget(3 * CallBudget.OVERHEAD);
    journal = open(batch -> committed.isEmpty() ? heldUp(batch) : store(batch));
    var waiting = new ArrayList<Ticket>();
    for (int i = 1; i <= 2; i++) waiting.add(journal.appendCall(append(i)));

    assertThatThrownBy(() -> journal.appendCall(append(3)))
        .hasMessageStartingWith("R142")
        .satisfies(e -> assertThat(((RepriseException) e).isRetryable()).isTrue());
    assertThat(journal.trouble()).isPresent();
    waiting.add(journal.append(append(4))); // of a run: it is never refused
    release.countDown();
    for (var ticket : waiting) ticket.await();

    assertThat(journal.appendCall(append(5)).await()).isEqualTo(Outcome.STORED);
    assertThat(committed.stream().flatMap(batch -> runs(batch).stream()))
        .containsExactly(1L, 2L, 4L, 5L);
    assertThat(journal.trouble()).isEmpty();
  }

  @Test
  void a_call_that_is_larger_than_the_budget_may_wait_alone() {
    journal.close();
    budget = new CallBudget(0);
    journal = open(this::store);

    for (int i = 1; i <= 3; i++) {
      assertThat(journal.appendCall(append(i)).await()).isEqualTo(Outcome.STORED);
    }
  }

  @Test
  void what_failed_calls_have_taken_of_the_budget_is_free_again() {
    journal.close();
    budget = new CallBudget(CallBudget.OVERHEAD + 50);
    journal = open(batch -> runs(batch).contains(BAD) ? refuse() : store(batch));

    assertThatThrownBy(() -> journal.appendCall(append(BAD)).await())
        .hasMessageStartingWith("R121");

    assertThat(budget.isUsedUp()).isFalse();
  }

  private static List<Outcome> overflow() {
    throw new ArithmeticException("long overflow");
  }

  private static List<Outcome> full() {
    throw new OutOfMemoryError("Java heap space");
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_database_that_does_not_answer_is_tried_again_and_nobody_is_told_meanwhile() {
    journal.close();
    var failures = new CountDownLatch(3);
    journal =
        open(
            batch -> {
              if (failures.getCount() == 0) return store(batch);
              failures.countDown();
              throw new Store.StoreUnavailable("away", new IllegalStateException());
            });

    assertThat(journal.append(append(1)).await()).isEqualTo(Outcome.STORED);
    assertThat(failures.getCount()).isZero();
    assertThat(committed).hasSize(1);
  }

  @Test
  void a_fenced_journal_fails_everything_now_and_for_ever() {
    journal.close();
    journal =
        open(
            _ -> {
              throw new Store.Fenced("superseded");
            });

    assertThatThrownBy(() -> journal.append(append(1)).await()).hasMessageStartingWith("R122");
    assertThatThrownBy(() -> journal.append(append(2)).await())
        .isInstanceOf(RepriseException.class)
        .hasMessageStartingWith("R122");
    assertThat(told).containsExactly("stopped");
  }

  @Test
  void closing_commits_what_is_queued_and_refuses_what_comes_later() {
    var tickets = new ArrayList<Ticket>();
    for (int i = 1; i <= 50; i++) tickets.add(journal.append(append(i)));

    journal.close();

    for (var ticket : tickets) assertThat(ticket.await()).isEqualTo(Outcome.STORED);
    assertThatThrownBy(() -> journal.append(append(51)).await()).hasMessageStartingWith("R119");
  }

  @Test
  void one_who_waits_alone_commits_by_himself() {
    var ticket = journal.appendAwaited(append(1));

    assertThat(committed).isEmpty();
    assertThat(ticket.await()).isEqualTo(Outcome.STORED);
    assertThat(told).containsExactly("by " + Thread.currentThread().getName());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void who_comes_when_the_writer_is_about_to_sleep_is_not_forgotten(int count) throws Exception {
    inProcess = false;
    var far = open(this::storeSlowly);
    var failures = new CopyOnWriteArrayList<Throwable>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < count; i++) {
      threads.add(
          Thread.ofVirtual()
              .uncaughtExceptionHandler((_, e) -> failures.add(e))
              .start(
                  () -> {
                    for (int step = 1; step <= 1_000; step++) {
                      pass(
                          ThreadLocalRandom.current()
                              .nextLong(20_000, 180_000)); // a watch takes 100,000
                      stored(far.append(append(step)));
                    }
                  }));
    }
    for (var thread : threads) thread.join();
    far.close();

    assertThat(failures).isEmpty();
    assertThat(committed.stream().mapToInt(batch -> batch.transitions().size()).sum())
        .isEqualTo(1_000 * count);
  }

  @Test
  void a_lone_workflow_stays_awake_until_it_is_told() throws Exception {
    inProcess = false;
    machine = recording("watch", true);
    var far = open(this::storeSlowly);

    appendOneAfterTheOther(far, 100);

    assertThat(told).hasSizeGreaterThan(50).containsOnly("watch by a virtual thread");
  }

  @Test
  void where_commits_take_long_it_sleeps() throws Exception {
    inProcess = false;
    machine = recording("watch", false);
    var far = open(this::storeSlowly);

    appendOneAfterTheOther(far, 100);

    assertThat(told).hasSize(4);
  }

  @Test
  void of_many_who_wait_one_in_a_while_gives_way_to_who_commits() {
    journal.close();
    machine = recording("giveWay", true);
    journal = open(batch -> committed.isEmpty() ? heldUp(batch) : store(batch));
    journal.append(append(1));
    await(() -> told.contains("held up"));
    var rest = new ArrayList<Ticket>();
    for (int i = 2; i <= 201; i++) rest.add(journal.appendAwaited(append(i)));
    var waiting =
        rest.stream().map(ticket -> Thread.ofVirtual().start(() -> stored(ticket))).toList();
    await(() -> waiting.stream().allMatch(t -> t.getState() == Thread.State.WAITING));

    release.countDown();

    for (var ticket : rest) assertThat(ticket.await()).isEqualTo(Outcome.STORED);
    assertThat(told)
        .containsExactly(
            "held up",
            "giveWay by a virtual thread",
            "giveWay by a virtual thread",
            "giveWay by a virtual thread");
  }

  private static void appendOneAfterTheOther(Journal journal, int count) throws Exception {
    var workflow =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 1; i <= count; i++) journal.appendAwaited(append(i)).await();
                });
    workflow.join();
    journal.close();
  }

  /** The real one, on which this call is recorded if a virtual thread makes it, and answered so. */
  private Machine recording(String call, boolean answer) {
    return (Machine)
        Proxy.newProxyInstance(
            Machine.class.getClassLoader(),
            new Class<?>[] {Machine.class},
            (_, method, arguments) -> {
              if (!Thread.currentThread().isVirtual()) {
                return method.invoke(Machine.REAL, arguments);
              }
              if (method.getName().equals(call)) told.add(call + " by a virtual thread");
              return switch (method.getName()) {
                case "watch" -> answer;
                case "canGiveWay" -> true;
                case "giveWay" -> null;
                default -> method.invoke(Machine.REAL, arguments);
              };
            });
  }

  private static void stored(Ticket ticket) {
    try {
      assertThat(ticket.await(Duration.ofSeconds(10))).isEqualTo(Outcome.STORED);
    } catch (TimeoutException forgotten) {
      throw new AssertionError("forgotten", forgotten);
    }
  }

  private static void pass(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) Thread.onSpinWait();
  }

  @Test
  void an_interrupt_does_not_end_the_wait() {
    Thread.currentThread().interrupt();

    assertThat(journal.append(append(1)).await()).isEqualTo(Outcome.STORED);
    assertThat(Thread.interrupted()).isTrue();
  }

  // ---- a store that does what the test says -----------------------------------------------------

  private List<Outcome> store(Store.Batch batch) {
    if (batch.transitions().size() == 1 && runs(batch).equals(List.of(1L)) && committed.isEmpty()) {
      recordThread();
    }
    committed.add(batch);
    return batch.transitions().stream().map(_ -> Outcome.STORED).toList();
  }

  private void recordThread() {
    var name = Thread.currentThread().getName();
    if (!name.equals("reprise-journal")) told.add("by " + name);
  }

  private List<Outcome> heldUp(Store.Batch batch) {
    told.add("held up");
    try {
      assertThat(release.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return store(batch);
  }

  private static List<Outcome> refuse() {
    throw new Store.TransitionRefused("no", null);
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean() && System.nanoTime() < end) Thread.onSpinWait();
    assertThat(condition.getAsBoolean()).isTrue();
  }

  /** As slowly as a disk. */
  private List<Outcome> storeSlowly(Store.Batch batch) {
    pass(300_000);
    return store(batch);
  }

  private static Transition append(long run) {
    return new Transition.Append(run, List.of(), List.of(), new RunChange.None());
  }

  private static List<Long> runs(Store.Batch batch) {
    return batch.transitions().stream().map(t -> ((Transition.Append) t).run()).toList();
  }

  private Journal open(Function<Store.Batch, List<Outcome>> commit) {
    return open(commit, Duration.ZERO);
  }

  /** With a lease that was renewed so long ago. */
  private Journal open(Function<Store.Batch, List<Outcome>> commit, Duration ago) {
    var store =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, method, arguments) ->
                    switch (method.getName()) {
                      case "commit" -> commit.apply((Store.Batch) arguments[0]);
                      case "isInProcess" -> inProcess;
                      case "absences" -> 0;
                      case "isPresent" -> true;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    var listener =
        new Journal.Listener() {
          @Override
          public boolean refused(Transition transition, RuntimeException why) {
            told.add("refused " + ((Transition.Append) transition).run());
            return true;
          }

          @Override
          public void stopped(RuntimeException why) {
            told.add("stopped");
          }
        };
    var lease =
        new Lease(Machine.REAL, store, Duration.ofMinutes(1), System.nanoTime() - ago.toNanos());
    return new Journal(machine, store, UUID.randomUUID(), lease, false, budget, listener);
  }
}
