package dev.reprise.verification.simulation;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.TimedOut;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.List;

/** Runs the program of its input, and returns what it saw. */
final class Play implements Workflow<Long, String> {
  static final Signal<String> NOTE = Signal.of("note", String.class);

  private final Work work;

  Play(Work work) {
    this.work = work;
  }

  @Override
  public String run(Context ctx, Long number) {
    return new Scene(ctx, new StringBuilder()).all(Program.of(number), "");
  }

  private final class Scene {
    private final Context ctx;
    private final StringBuilder seen;

    Scene(Context ctx, StringBuilder seen) {
      this.ctx = ctx;
      this.seen = seen;
    }

    /** One after the other; each step is told what the one before it returned. */
    String all(List<Program> pieces, String before) {
      var last = before;
      for (var piece : pieces) {
        last = one(piece, last);
        seen.append(last).append(' ');
      }
      return before.isEmpty() ? seen.toString() : last;
    }

    private String one(Program piece, String before) {
      return switch (piece) {
        case Program.Step step -> step(step, before);
        case Program.Sleep(var millis) -> {
          ctx.sleep(Duration.ofMillis(millis));
          yield before;
        }
        case Program.Receive(var limit) -> {
          var note = limit == 0 ? ctx.receive(NOTE) : receive(limit);
          seen.append(note).append(' ');
          yield before;
        }
        case Program.Branches(var all, var branches) -> branches(all, branches, before);
        case Program.Limit(var millis, var body) -> limit(millis, body, before);
        case Program.Values() -> {
          seen.append(ctx.now()).append(ctx.random().nextInt(100)).append(ctx.uuid()).append(' ');
          yield before;
        }
      };
    }

    private String step(Program.Step step, String before) {
      var task =
          new Work.Task(ctx.workflowId(), step.path(), before, step.failures(), step.millis());
      var retry = RetryPolicy.fixed(Duration.ofMillis(step.retryMillis()), 0);
      return ctx.with(ActivityOptions.defaults().retry(retry)).run(work::work, task);
    }

    private String receive(int limit) {
      return ctx.receive(NOTE, Duration.ofMillis(limit)).orElse("none");
    }

    private String branches(boolean all, List<List<Program>> branches, String before) {
      var begin = before.isEmpty() ? "-" : before;
      var promises = branches.stream().map(branch -> ctx.async(() -> all(branch, begin))).toList();
      if (!all) return ctx.race(promises);
      return ctx.all(promises).getLast();
    }

    private String limit(int millis, List<Program> body, String before) {
      var begin = before.isEmpty() ? "-" : before;
      try {
        return ctx.withTimeout(Duration.ofMillis(millis), () -> all(body, begin));
      } catch (TimedOut over) {
        return begin;
      }
    }
  }
}
