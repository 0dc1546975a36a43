package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskStore.Beat;
import dev.reprise.engine.store.TaskStore.Take;
import dev.reprise.engine.store.TaskView;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the parts of the contract about tasks have in common. */
public interface TasksUnderTest extends StoreUnderTest {

  default TaskStore tasks() {
    return store().tasks();
  }

  // ---- putting on a queue -----------------------------------------------------------------------

  /** The events of these activities, and the activities. */
  static Append scheduling(long run, TaskSpec... specs) {
    return scheduling(run, new RunChange.None(), specs);
  }

  /** The same, and what becomes of the run. */
  static Append scheduling(long run, RunChange change, TaskSpec... specs) {
    var tasks = tasks(specs);
    var events = tasks.stream().map(task -> Rows.event(task.index())).toList();
    return new Append(run, events, List.of(), change, List.of(), null, tasks, List.of());
  }

  static List<NewTask> tasks(TaskSpec... specs) {
    return Stream.of(specs).map(TaskSpec::task).toList();
  }

  /** An event of a run that wants some of its tasks no more. */
  static Append cancelling(long run, int index, Integer... cancelled) {
    var events = List.of(Rows.event(index));
    var none = new RunChange.None();
    return new Append(run, events, List.of(), none, List.of(), null, List.of(), List.of(cancelled));
  }

  /** A run with these activities on queues; gives its key. */
  default long scheduled(TestNode node, String workflowId, TaskSpec... specs) {
    long run = node.start(workflowId);
    node.store(scheduling(run, specs));
    return run;
  }

  // ---- handing out ------------------------------------------------------------------------------

  /** What a new hand takes of a queue at that time. */
  static Take taking(String queue, int limit, Instant now) {
    var policies = Map.of(TaskSpec.NAME, "", "Checkout", "");
    return new Take(UUID.randomUUID(), queue, "host/1", policies, limit, 0, now);
  }

  default List<Handout> take(int limit, Instant now) {
    return tasks().take(taking(TaskSpec.QUEUE, limit, now));
  }

  default List<Handout> take(int limit) {
    return take(limit, NOON);
  }

  /** The only one that is to be had. */
  default Handout takeOne(Instant now) {
    var taken = take(100, now);
    assertThat(taken).hasSize(1);
    return taken.getFirst();
  }

  default Handout takeOne() {
    return takeOne(NOON);
  }

  static List<Integer> indexes(List<Handout> handouts) {
    return handouts.stream().map(handout -> handout.ref().index()).toList();
  }

  // ---- reporting --------------------------------------------------------------------------------

  /** From the worker that has it. */
  static Report from(Handout handout, Change change) {
    return Report.of(handout, change);
  }

  /** From the worker that has it, and what its run is told. */
  static Report telling(Handout handout, Change change, String value) {
    var input = told(handout.ref(), handout.attempt(), value);
    return new Report(handout.ref(), handout.attempt(), handout.hand(), null, change, input, null);
  }

  /** From somebody who looks for what is overdue. */
  static Report sweeping(TaskRef ref, int attempt, Instant by, Change change) {
    return new Report(ref, attempt, null, by, change, null, null);
  }

  static InputRow told(TaskRef ref, int attempt, String value) {
    var message = "task/%d/%d".formatted(ref.index(), attempt);
    return new InputRow(0, ref.run(), Kind.ACTIVITY, "run-id", message, bytes(value), NOON);
  }

  default Report.Reply report(Report report) {
    return report(report, NOON);
  }

  default Report.Reply report(Report report, Instant now) {
    var replies = tasks().report(List.of(report), now);
    assertThat(replies).hasSize(1);
    return replies.getFirst();
  }

  default void finish(Handout handout) {
    assertThat(report(from(handout, new Change.Finish()))).isEqualTo(Report.Reply.ACCEPTED);
  }

  default void again(Handout handout, Instant visibleAt, Instant now) {
    assertThat(report(from(handout, new Change.Again(visibleAt)), now))
        .isEqualTo(Report.Reply.ACCEPTED);
  }

  default void leaveOpen(Handout handout) {
    assertThat(report(from(handout, new Change.LeaveOpen()))).isEqualTo(Report.Reply.ACCEPTED);
  }

  default Beat.Answer beat(Handout handout, @Nullable String details, Instant now) {
    var value = details == null ? null : bytes(details);
    var beats = List.of(new Beat(handout.ref(), handout.attempt(), handout.hand(), value));
    var answers = tasks().heartbeat(beats, now);
    assertThat(answers).hasSize(1);
    return answers.getFirst();
  }

  // ---- looking ----------------------------------------------------------------------------------

  default TaskView view(long run, int index) {
    return tasks().find(new TaskRef(run, index)).orElseThrow();
  }

  /** Indexes of what somebody has to look at by then, ascending. */
  default List<Integer> overdue(Instant now) {
    return tasks().overdue(now, 100).stream().map(view -> view.ref().index()).sorted().toList();
  }
}
