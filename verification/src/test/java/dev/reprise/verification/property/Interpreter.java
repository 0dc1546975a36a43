package dev.reprise.verification.property;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.TimedOut;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.List;

/** Runs a random program and returns what it saw, in order. */
final class Interpreter implements Workflow<String, String> {
  private static final Duration RETRY_DELAY = Duration.ofMillis(700);

  private final List<Op> program;
  private final Gate gate;

  Interpreter(List<Op> program, Gate gate) {
    this.program = program;
    this.gate = gate;
  }

  @Override
  public String run(Context ctx, String input) {
    var play = new Play(ctx, new StringBuilder(input));
    play.all(program);
    return play.seen.toString();
  }

  private final class Play {
    private final Context ctx;
    private final StringBuilder seen;
    private int done;

    Play(Context ctx, StringBuilder seen) {
      this.ctx = ctx;
      this.seen = seen;
    }

    String all(List<Op> ops) {
      var last = "";
      for (var op : ops) {
        last = one(op);
        seen.append(' ').append(last);
        done++;
      }
      return last;
    }

    private String one(Op op) {
      return switch (op) {
        case Op.Step step -> step(step);
        case Op.Sleep(var millis) -> {
          ctx.sleep(Duration.ofMillis(millis));
          yield "slept";
        }
        case Op.Receive(var name, var limit) -> receive(name, limit);
        case Op.Await(var count, var limit) ->
            "await=" + ctx.await(Duration.ofMillis(limit), () -> done >= count);
        case Op.Join(var kind, var branches) -> join(kind, branches);
        case Op.Limit(var millis, var body) -> limit(millis, body);
        case Op.Patch(var change) -> "patched=" + ctx.patched(change);
        case Op.Values() ->
            "%s/%d/%s".formatted(ctx.now(), ctx.random().nextInt(1_000), ctx.uuid());
      };
    }

    private String step(Op.Step step) {
      var retry = RetryPolicy.fixed(RETRY_DELAY, step.attempts());
      try {
        return ctx.with(ActivityOptions.defaults().retry(retry)).run(gate::work, step.path());
      } catch (ActivityFailed failed) {
        return "failed:" + failed.attempts() + ":" + failed.failureMessage();
      }
    }

    private String receive(String name, int limit) {
      if (name.isEmpty()) {
        if (limit == 0) return "any=" + ctx.receiveAny().name();
        return "any=" + ctx.receiveAny(Duration.ofMillis(limit)).map(signal -> signal.name());
      }
      var signal = Signal.of(name, String.class);
      if (limit == 0) return name + "=" + ctx.receive(signal);
      return name + "=" + ctx.receive(signal, Duration.ofMillis(limit));
    }

    private String join(Op.Kind kind, List<List<Op>> branches) {
      var promises = branches.stream().map(branch -> ctx.async(() -> all(branch))).toList();
      return kind
          + "="
          + switch (kind) {
            case ALL -> ctx.all(promises).toString();
            case ANY -> ctx.any(promises);
            case RACE -> ctx.race(promises);
          };
    }

    private String limit(int millis, List<Op> body) {
      try {
        return "in time:" + ctx.withTimeout(Duration.ofMillis(millis), () -> all(body));
      } catch (TimedOut over) {
        return "over";
      }
    }
  }
}
