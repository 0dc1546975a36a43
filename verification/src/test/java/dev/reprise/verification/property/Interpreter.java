package dev.reprise.verification.property;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Child;
import dev.reprise.ChildFailed;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.Key;
import dev.reprise.Promise;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Scope;
import dev.reprise.Signal;
import dev.reprise.TimedOut;
import dev.reprise.Update;
import dev.reprise.Workflow;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Runs a random program and returns what it saw, in order. */
final class Interpreter implements Workflow<String, String> {
  static final String WORKFLOW = "Random";
  static final Query<String, String> SEEN = Query.of("seen", String.class, String.class);
  static final Update<String, String> CHANGE = Update.of("change", String.class, String.class);
  static final Update<String, String> ALTER = Update.of("alter", String.class, String.class);
  static final String REFUSED = "refuse me";
  private static final Duration RETRY_DELAY = Duration.ofMillis(700);
  private static final int SPREAD = 997; // microseconds by which the same piece differs in two runs

  private final Map<String, List<Op>> programs;
  private final Gate gate;

  Interpreter(List<Op> program, Gate gate) {
    this.programs = Programs.byPath(program);
    this.gate = gate;
  }

  /**
   * The input of a run.
   *
   * @param path of its program
   * @param generation how often it has continued as a new run
   * @param name no other run has it
   */
  record In(String path, int generation, String name) {
    static final In ROOT = new In("", 0, "r");

    static In parse(String text) {
      var parts = text.split("\\|");
      return new In(parts[0], Integer.parseInt(parts[1]), parts[2]);
    }

    String text() {
      return path + "|" + generation + "|" + name;
    }

    In next() {
      return new In(path, generation + 1, name + "'");
    }
  }

  /** Whether the activity with this key is one of the run of that name. */
  static boolean isOf(String key, String run) {
    return key.substring(0, key.indexOf(':')).replaceFirst("~\\d+$", "").equals(run);
  }

  /** By how many microseconds the times of a run differ from those of others. */
  static int spread(String name) {
    return Math.floorMod(name.hashCode(), SPREAD);
  }

  static boolean undoes(String key) {
    return key.contains(":undo ");
  }

  /** Between two turns of a loop. */
  record Turn(int number, String seen) {}

  @Override
  public String run(Context ctx, String input) {
    var in = In.parse(input);
    var play = new Play(ctx, new StringBuilder(in.name()), in.name());
    for (var op : programs.get(in.path())) {
      if (op instanceof Op.Again(var times) && in.generation() < times) {
        return ctx.continueAsNew(in.next().text());
      }
      play.all(List.of(op));
    }
    return play.seen.toString();
  }

  private final class Play {
    private final Context ctx;
    private final StringBuilder seen;
    private final String name;
    private int done;

    Play(Context ctx, StringBuilder seen, String name) {
      this.ctx = ctx;
      this.seen = seen;
      this.name = name;
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
        case Op.Step step -> step(step.path(), step.failures(), step.attempts());
        case Op.Sleep(var micros) -> {
          ctx.sleep(time(micros));
          yield "slept";
        }
        case Op.Receive(var signal, var limit) -> receive(signal, limit);
        case Op.Await(var count, var limit) ->
            "await=" + ctx.await(time(limit), () -> done >= count);
        case Op.Join(var kind, var branches) -> join(kind, branches);
        case Op.Limit(var micros, var body) -> limit(micros, body);
        case Op.Patch(var change) -> "patched=" + ctx.patched(change);
        case Op.Values() ->
            "%s/%d/%s".formatted(ctx.now(), ctx.random().nextInt(1_000), ctx.uuid());
        case Op.Remember remember -> remember(remember);
        case Op.Shield(var body) -> "shielded:" + ctx.<String>shielded(() -> all(body));
        case Op.Scoped scoped -> "scope:" + ctx.scope(scoped.policy(), it -> scope(it, scoped));
        case Op.Try(var body) -> attempt(() -> all(body));
        case Op.Throw(var path) -> throw new IllegalStateException("thrown at " + path);
        case Op.Kin kin -> kin(kin);
        case Op.Turns turns -> turns(turns);
        case Op.Publish(var path) -> publish(path);
        case Op.Attribute(var attribute, var set) -> attribute(attribute, set);
        case Op.Answers(var path) -> answer(path);
        case Op.Again _ -> "no more";
      };
    }

    /** The same piece in two runs never takes the same time, so nothing happens at once. */
    private Duration time(int micros) {
      return Duration.of(micros + spread(name), ChronoUnit.MICROS);
    }

    private String key(String path, int failures) {
      return Failures.key(name + ":" + path, failures);
    }

    private ActivityOptions retrying(int attempts) {
      return ActivityOptions.defaults().retry(RetryPolicy.fixed(RETRY_DELAY, attempts));
    }

    private String step(String path, int failures, int attempts) {
      try {
        return ctx.with(retrying(attempts)).run(gate::work, key(path, failures));
      } catch (ActivityFailed failed) {
        return "failed:" + failed.attempts() + ":" + failed.failureMessage();
      }
    }

    private String remember(Op.Remember remember) {
      var key = key("undo " + remember.path(), remember.failures());
      ctx.with(retrying(remember.attempts())).compensate(gate::work, key);
      return "remembered";
    }

    private String receive(String signalName, int limit) {
      if (signalName.isEmpty()) {
        if (limit == 0) return "any=" + ctx.receiveAny().name();
        return "any=" + ctx.receiveAny(time(limit)).map(signal -> signal.name());
      }
      var signal = Signal.of(signalName, String.class);
      if (limit == 0) return signalName + "=" + ctx.receive(signal);
      return signalName + "=" + ctx.receive(signal, time(limit));
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

    private String limit(int micros, List<Op> body) {
      try {
        return "in time:" + ctx.withTimeout(time(micros), () -> all(body));
      } catch (TimedOut over) {
        return "over";
      }
    }

    private String scope(Scope scope, Op.Scoped scoped) {
      var promises =
          scoped.branches().stream().map(branch -> scope.fork(() -> all(branch))).toList();
      if (scoped.cancels()) {
        var first = attempt(promises.getFirst()::await);
        scope.cancel();
        return "cancelled after " + first;
      }
      scope.join();
      return promises.stream().map(promise -> attempt(promise::await)).toList().toString();
    }

    private String attempt(Context.Branch<String> code) {
      try {
        return code.run();
      } catch (RepriseException mistake) {
        throw mistake;
      } catch (Exception caught) {
        return "caught " + caught.getClass().getSimpleName() + ": " + caught.getMessage();
      }
    }

    // ---- children, loops, requests --------------------------------------------------------------

    private String kin(Op.Kin kin) {
      var options = ChildOptions.defaults().onParentClose(kin.close());
      if (kin.limit() > 0) options = options.timeout(time(kin.limit()));
      var in = new In(kin.path(), 0, name + "/" + kin.path());
      Child<String> child = ctx.start(WORKFLOW, in.text(), String.class, options);
      switch (kin.care()) {
        case CALL -> {}
        case SIGNAL -> child.signal(Signal.of("a", String.class), "from " + name);
        case CANCEL -> child.cancel("enough");
        case LEAVE -> {
          return "left";
        }
      }
      return outcome(child.result());
    }

    private String outcome(Promise<String> child) {
      try {
        return "child:" + child.await();
      } catch (ChildFailed failed) {
        return "child " + failed.status() + " " + failed.failure().message();
      }
    }

    /** Turns share nothing but their state. */
    private String turns(Op.Turns turns) {
      var last =
          ctx.loop(
              new Turn(0, ""),
              turn -> {
                if (turn.number() == turns.count()) return null;
                var play = new Play(ctx, new StringBuilder(turn.seen()), name + "~" + turn.number);
                play.all(turns.body());
                return new Turn(turn.number() + 1, play.seen.toString());
              });
      return "turned:" + last.seen();
    }

    private String publish(String path) {
      ctx.publish(Key.of("last", String.class), name + ":" + path);
      return "published";
    }

    private String attribute(String attribute, boolean set) {
      ctx.attribute(attribute, set ? name : null);
      return attribute + "=" + set;
    }

    private String answer(String path) {
      ctx.onQuery(SEEN, what -> what + seen);
      for (var update : List.of(CHANGE, ALTER)) answer(update, path);
      return "answers";
    }

    private void answer(Update<String, String> update, String path) {
      ctx.onUpdate(
          update,
          what -> {
            if (what.equals(REFUSED)) throw new IllegalArgumentException("refused");
          },
          what -> {
            seen.append(" (").append(what);
            var outcome = step(path + what, what.hashCode() & 1, 1);
            seen.append(' ').append(outcome).append(')');
            if (outcome.startsWith("failed")) throw new IllegalStateException(outcome);
            return outcome;
          });
    }
  }
}
