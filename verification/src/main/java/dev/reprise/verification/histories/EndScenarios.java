package dev.reprise.verification.histories;

import dev.reprise.Context;
import dev.reprise.JoinPolicy;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Ends from outside, shields and scopes. Never change one of these: see the package. */
final class EndScenarios {
  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final Duration MONTH = Duration.ofDays(30);

  private final Desk desk;

  EndScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("timed-out", new Hasty(MOMENT)),
        Scenario.open("with-time-left", new Hasty(MONTH), run -> run.awaitWait("word")),
        Scenario.closed("terminated", this::waits, EndScenarios::terminate),
        Scenario.closed(
            "shielded",
            this::shielded,
            run -> {
              run.awaitWait("word");
              run.engine().cancel(run.id(), "not wanted any more");
            }),
        Scenario.closed("scopes", this::scopes));
  }

  /** Has so much time, and cleans up when that is over. */
  private static final class Hasty implements Workflow<String, String> {
    private final Duration limit;

    Hasty(Duration limit) {
      this.limit = limit;
    }

    @Override
    public String run(Context ctx, String input) {
      return ctx.receive(WaitScenarios.WORD);
    }

    @Override
    public Optional<Duration> timeout() {
      return Optional.of(limit);
    }
  }

  private static void terminate(Run run) {
    run.awaitWait("word");
    run.engine().terminate(run.id(), "the house is on fire");
  }

  private String waits(Context ctx, String input) {
    return ctx.receive(WaitScenarios.WORD);
  }

  private String shielded(Context ctx, String input) {
    try {
      return ctx.receive(WaitScenarios.WORD);
    } catch (WorkflowCancelled cancelled) {
      ctx.shielded(() -> ctx.sleep(MOMENT));
      return ctx.shielded(() -> ctx.run(desk::greet, input)) + ctx.cancelled();
    }
  }

  private String scopes(Context ctx, String input) {
    var first =
        ctx.scope(
            scope -> {
              var hello = scope.fork(() -> ctx.run(desk::hello));
              scope.fork(
                  () -> {
                    ctx.sleep(MONTH);
                    return "slept";
                  });
              var won = hello.await();
              scope.cancel();
              return won;
            });
    try {
      ctx.scope(
          JoinPolicy.COLLECT_ALL,
          scope -> {
            scope.fork(() -> ctx.run(desk::greet, input));
            return scope
                .<String>fork(
                    () -> {
                      throw new IllegalStateException("a branch failed");
                    })
                .await();
          });
      return "nothing failed";
    } catch (IllegalStateException failed) {
      return first + " " + failed.getMessage();
    }
  }
}
