package dev.reprise.verification.simulation;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Child;
import dev.reprise.ChildFailed;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.JoinPolicy;
import dev.reprise.RetryPolicy;
import dev.reprise.TimedOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program as it is played by one run. */
final class Scene {
  static final String PLANNED = "as planned"; // what its failures say

  private final Context ctx;
  private final Work work;
  private final Jobs jobs;
  private final long number;
  private final Program.Whole whole;
  private final StringBuilder seen = new StringBuilder();
  private final List<String> notes = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();

  Scene(Context ctx, Work work, Jobs jobs, long number) {
    this.ctx = ctx;
    this.work = work;
    this.jobs = jobs;
    this.number = number;
    this.whole = Program.of(number);
  }

  @Nullable String play() {
    ctx.onUpdate(Play.CHANGE, Scene::check, this::change);
    ctx.onQuery(Play.CHANGES, _ -> changes.size());
    all(whole.pieces(), "");
    ctx.publish(Play.NOTES, String.join(",", notes));
    return switch (whole.end()) {
      case RETURN -> seen.toString();
      case FAIL -> throw new IllegalStateException(PLANNED);
      case CONTINUE -> ctx.continueAsNew(number + 1);
    };
  }

  private String path(String path) {
    return "g" + (number & Program.GENERATION) + "." + path;
  }

  // ---- requests

  static final String BAD = "bad"; // a request that begins like that is refused
  static final String GOOD = "good"; // one that begins like that is done at once
  static final String SLOW = "slow"; // one that begins like that takes a step

  private static void check(String what) {
    if (what.startsWith(BAD)) throw new IllegalArgumentException(PLANNED);
  }

  private String change(String what) {
    if (what.startsWith(SLOW)) step(new Program.Step("u." + what, 0, 20, 120), "");
    changes.add(what);
    return what + "=" + changes.size();
  }

  // ---- pieces

  /** One after the other; each step is told what the one before it returned. */
  private String all(List<Program> pieces, String before) {
    var last = before;
    for (var piece : pieces) {
      last = one(piece, last);
      seen.append(last).append(' ');
    }
    return last;
  }

  private String one(Program piece, String before) {
    return switch (piece) {
      case Program.Step step -> step(step, before);
      case Program.Sleep(var millis) -> {
        ctx.sleep(Duration.ofMillis(millis));
        yield before;
      }
      case Program.Receive(var limit) -> {
        note(limit == 0 ? ctx.receive(Play.NOTE) : receive(limit));
        yield before;
      }
      case Program.Branches(var all, var branches) -> branches(all, branches, before);
      case Program.Limit(var millis, var body) -> limit(millis, body, before);
      case Program.Values() -> {
        seen.append(ctx.now()).append(ctx.random().nextInt(100)).append(ctx.uuid()).append(' ');
        yield before;
      }
      case Program.Shielded(var body) -> ctx.shielded(() -> all(body, before));
      case Program.Together together -> together(together, before);
      case Program.Undoable undoable -> undoable(undoable, before);
      case Program.Offspring offspring -> offspring(offspring, before);
      case Program.Turns turns -> turns(turns, before);
      case Program.Queued queued -> queued(queued, before);
      case Program.Tell(var value) -> {
        ctx.attribute("value", value);
        ctx.publish(Play.TOLD, value);
        yield before;
      }
    };
  }

  private void note(String note) {
    seen.append(note).append(' ');
    if (!note.isEmpty()) notes.add(note);
  }

  private String step(Program.Step step, String before) {
    var task = new Work.Task(path(step.path()), before, step.failures(), step.millis());
    return ctx.with(retry(step.retryMillis())).run(work::work, task);
  }

  private static ActivityOptions retry(int millis) {
    return ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(millis), 0));
  }

  private String receive(int limit) {
    return ctx.receive(Play.NOTE, Duration.ofMillis(limit)).orElse("");
  }

  private String branches(boolean all, List<List<Program>> branches, String before) {
    var promises = branches.stream().map(branch -> ctx.async(() -> all(branch, before))).toList();
    if (!all) return ctx.race(promises);
    return ctx.all(promises).getLast();
  }

  private String limit(int millis, List<Program> body, String before) {
    try {
      return ctx.withTimeout(Duration.ofMillis(millis), () -> all(body, before));
    } catch (TimedOut over) {
      return before;
    }
  }

  private String together(Program.Together together, String before) {
    var policy = together.failFast() ? JoinPolicy.FAIL_FAST : JoinPolicy.COLLECT_ALL;
    try {
      return ctx.scope(
          policy,
          scope -> {
            for (var branch : together.branches()) scope.fork(() -> all(branch, before));
            if (together.fails()) scope.fork(() -> fail(before));
            scope.join();
            return before;
          });
    } catch (IllegalStateException failed) {
      return before;
    }
  }

  private String fail(String before) {
    ctx.sleep(Duration.ofMillis(100));
    if (before.equals(PLANNED)) return before;
    throw new IllegalStateException(PLANNED);
  }

  private String undoable(Program.Undoable undoable, String before) {
    var undo = new Work.Undo(path(undoable.path()), undoable.failures(), undoable.forGood());
    ctx.with(retry(120)).compensate(work::undo, undo);
    return before;
  }

  // ---- queues

  private String queued(Program.Queued queued, String before) {
    var options = queued.terms().options();
    var job = queued.job().at(path(queued.job().path()));
    try {
      return switch (queued.how()) {
        case CALL -> ctx.activities(Jobs.class, options).job(job);
        case JOIN -> {
          var promise = ctx.with(options).schedule(jobs::job, job);
          ctx.sleep(Duration.ofMillis(50));
          yield promise.await();
        }
        case IGNORE -> {
          var _ = ctx.with(options).schedule(jobs::job, job);
          yield before;
        }
      };
    } catch (ActivityFailed failed) {
      return before;
    }
  }

  // ---- children

  private String offspring(Program.Offspring offspring, String before) {
    var kin = offspring.kin();
    var child = child(offspring, offspring.number());
    if (kin.twice()) {
      var twin = child(offspring, offspring.number() + Program.STEP, child.workflowId());
      seen.append(end(twin)).append(' ');
    }
    if (kin.told()) child.signal(Play.NOTE, "from-parent");
    if (kin.unwanted()) child.cancel("not needed");
    return kin.awaited() ? end(child) : before;
  }

  private Child<String> child(Program.Offspring offspring, long input) {
    return started(offspring, input, options(offspring));
  }

  private Child<String> child(Program.Offspring offspring, long input, String id) {
    return started(offspring, input, options(offspring).id(id));
  }

  private Child<String> started(Program.Offspring offspring, long input, ChildOptions options) {
    var workflow = offspring.kin().away() ? Away.NAME : Play.class.getSimpleName();
    return ctx.start(workflow, input, String.class, options);
  }

  private static ChildOptions options(Program.Offspring offspring) {
    var options = ChildOptions.defaults().onParentClose(offspring.policy());
    int millis = offspring.timeoutMillis();
    return millis == 0 ? options : options.timeout(Duration.ofMillis(millis));
  }

  private static String end(Child<String> child) {
    try {
      var _ = child.result().await();
      return "completed";
    } catch (ChildFailed failed) {
      return failed.status().name();
    }
  }

  // ---- loops

  /** What one turn hands to the next. */
  record Lap(int turn, String last, List<String> notes) {
    Lap {
      notes = List.copyOf(notes);
    }
  }

  private String turns(Program.Turns turns, String before) {
    var end =
        ctx.loop(
            new Lap(0, before, List.of()),
            lap -> lap.turn() < turns.count() ? lap(turns, lap) : null);
    if (end.turn() != turns.count()) throw new IllegalStateException("turn " + end.turn());
    remember(end.notes());
    return end.last();
  }

  /** Those of laps in an earlier run are known from the state only. */
  private void remember(List<String> heard) {
    for (var note : heard) if (!notes.contains(note)) notes.add(note);
  }

  private Lap lap(Program.Turns turns, Lap lap) {
    var heard = new ArrayList<>(lap.notes());
    if (turns.listens()) ctx.receive(Play.NOTE, Duration.ofMillis(150)).ifPresent(heard::add);
    remember(heard);
    var step = new Program.Step(turns.path() + ".t" + lap.turn(), 0, 0, 120);
    return new Lap(lap.turn() + 1, step(step, lap.last()), heard);
  }
}
