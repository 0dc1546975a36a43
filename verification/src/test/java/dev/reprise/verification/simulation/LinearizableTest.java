package dev.reprise.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.verification.simulation.Call.Answer;
import dev.reprise.verification.simulation.Call.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The check itself: answers that fit each other, and answers that cannot all be right. */
class LinearizableTest {
  private static final String INPUT = "7";

  private static Call call(Kind kind, String argument, long from, long to, Answer answer) {
    return new Call("w", kind, argument, from, to, answer, "", "node");
  }

  private static Call start(long from, long to) {
    return call(Kind.START, INPUT, from, to, Answer.DONE);
  }

  private static Call result(long from, long to) {
    return call(Kind.RESULT, "", from, to, Answer.DONE);
  }

  private static Linearizable.Last completed(String... notes) {
    return new Linearizable.Last(INPUT, Set.of(notes), false, false, Status.COMPLETED);
  }

  private static String problem(Linearizable.Last last, Call... calls) {
    return new Linearizable(last, List.of(calls)).problem();
  }

  @Test
  void a_start_a_signal_and_a_result_fit() {
    assertThat(
            problem(
                completed("a"),
                start(0, 1),
                call(Kind.SIGNAL, "a", 2, 3, Answer.DONE),
                result(4, 5)))
        .isNull();
  }

  @Test
  void an_acknowledged_signal_that_is_not_in_the_history_is_lost() {
    assertThat(problem(completed(), start(0, 1), call(Kind.SIGNAL, "a", 2, 3, Answer.DONE)))
        .contains("not linearizable");
  }

  @Test
  void a_signal_that_was_refused_is_not_in_the_history() {
    var refused = call(Kind.SIGNAL, "a", 6, 7, Answer.CLOSED);

    assertThat(problem(completed(), start(0, 1), refused)).isNull();
    assertThat(problem(completed("a"), start(0, 1), refused)).contains("not linearizable");
  }

  @Test
  void a_signal_is_refused_only_when_the_run_may_have_ended() {
    var refused = call(Kind.SIGNAL, "a", 2, 3, Answer.CLOSED);
    var later = call(Kind.SIGNAL, "b", 4, 5, Answer.DONE);

    assertThat(problem(completed("b"), start(0, 1), refused, later)).contains("not linearizable");
  }

  @Test
  void nothing_is_absent_after_an_acknowledged_start() {
    var absent = call(Kind.SIGNAL, "a", 2, 3, Answer.ABSENT);

    assertThat(problem(completed(), start(0, 1), absent)).contains("not linearizable");
    assertThat(problem(completed(), start(0, 4), absent)).isNull();
  }

  @Test
  void a_result_is_told_after_the_end_and_the_end_is_after_all_signals() {
    var late = call(Kind.SIGNAL, "a", 6, 7, Answer.DONE);

    assertThat(problem(completed("a"), start(0, 1), result(2, 3), late))
        .contains("not linearizable");
  }

  @Test
  void a_call_without_an_answer_takes_effect_at_any_later_time_or_never() {
    var unknown = call(Kind.SIGNAL, "a", 2, Long.MAX_VALUE, Answer.UNKNOWN);

    assertThat(problem(completed("a"), start(0, 1), unknown, result(8, 9))).isNull();
    assertThat(problem(completed(), start(0, 1), unknown, result(8, 9))).isNull();
  }

  @Test
  void of_two_starts_with_other_inputs_one_is_told_that_the_id_is_in_use() {
    var rival = call(Kind.START, "8", 0, 3, Answer.IN_USE);
    var wrong = call(Kind.START, "8", 2, 3, Answer.DONE);

    assertThat(problem(completed(), start(0, 1), rival)).isNull();
    assertThat(problem(completed(), start(0, 1), wrong)).contains("not linearizable");
    assertThat(problem(completed(), start(4, 5), call(Kind.START, "8", 0, 3, Answer.IN_USE)))
        .contains("not linearizable");
  }

  @Test
  void an_acknowledged_cancel_is_in_the_history() {
    var cancel = call(Kind.CANCEL, "", 2, 3, Answer.DONE);
    var cancelled = new Linearizable.Last(INPUT, Set.of(), true, false, Status.CANCELLED);

    assertThat(problem(cancelled, start(0, 1), cancel, result(4, 5))).isNull();
    assertThat(problem(completed(), start(0, 1), cancel)).contains("not linearizable");
  }

  @Test
  void a_cancel_that_nobody_asked_for_is_no_excuse() {
    var cancelled = new Linearizable.Last(INPUT, Set.of(), true, false, Status.CANCELLED);

    assertThat(problem(cancelled, start(0, 1), result(4, 5))).contains("not linearizable");
  }

  @Test
  void an_acknowledged_terminate_is_how_it_ended() {
    var terminate = call(Kind.TERMINATE, "", 2, 3, Answer.DONE);
    var terminated = new Linearizable.Last(INPUT, Set.of(), false, false, Status.TERMINATED);

    assertThat(problem(terminated, start(0, 1), terminate, result(4, 5))).isNull();
    assertThat(problem(terminated, start(0, 1), result(4, 5))).contains("not linearizable");
    assertThat(problem(completed(), start(0, 1), terminate, result(4, 5)))
        .contains("not linearizable");
  }

  @Test
  void a_terminate_that_undoes_may_find_that_everything_is_undone_already() {
    var terminate = call(Kind.TERMINATE_AND_UNDO, "", 2, 3, Answer.DONE);
    var failed = new Linearizable.Last(INPUT, Set.of(), false, true, Status.FAILED);

    assertThat(problem(failed, start(0, 1), terminate, result(4, 5))).isNull();
    assertThat(problem(failed, start(0, 1), call(Kind.TERMINATE, "", 2, 3, Answer.DONE)))
        .contains("not linearizable");
  }
}
