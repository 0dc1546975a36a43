package dev.reprise.verification.histories;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Promise;
import dev.reprise.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Branches and conditions. Never change one of these: see the package. */
final class BranchScenarios {
  private static final Duration MOMENT = Duration.ofMillis(2);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final ActivityOptions ONCE = ActivityOptions.defaults().retry(RetryPolicy.none());

  private final Desk desk;

  BranchScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("branches", this::branches),
        Scenario.closed("races", this::races),
        Scenario.closed("conditions", this::conditions),
        Scenario.open("waiting-branches", this::waitingBranches, BranchScenarios::allWait)
            .finishedBy(run -> run.signal(WaitScenarios.WORD, "go")));
  }

  private String branches(Context ctx, String input) {
    var promises = new ArrayList<Promise<String>>();
    for (int i = 0; i < 5; i++) {
      var name = input + i;
      promises.add(
          ctx.async(
              () -> {
                var greeting = ctx.run(desk::greet, name);
                ctx.sleep(MOMENT);
                var inner = ctx.async(() -> ctx.run(desk::greet, "inner " + name));
                return greeting + inner.await() + ctx.random().nextInt(10);
              }));
    }
    return String.join("|", ctx.all(promises));
  }

  private String races(Context ctx, String input) {
    var first =
        ctx.race(
            List.of(
                ctx.async(() -> ctx.run(desk::greet, "fast")),
                ctx.async(() -> ctx.receive(WaitScenarios.WORD))));
    var any =
        ctx.any(
            List.of(
                ctx.async(() -> refused(ctx)),
                ctx.async(
                    () -> {
                      ctx.sleep(MOMENT);
                      return ctx.run(desk::greet, "second");
                    })));
    var failing = ctx.async(() -> refused(ctx));
    String caught;
    try {
      caught = failing.await();
    } catch (ActivityFailed failed) {
      caught = "failed";
    }
    return first + any + caught;
  }

  private static String refused(Context ctx) {
    return ctx.with(ONCE)
        .run(
            "refuse",
            String.class,
            () -> {
              throw new IllegalStateException("refused");
            });
  }

  private String conditions(Context ctx, String input) {
    var done = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      var name = input + i;
      ctx.async(
          () -> {
            ctx.run(desk::greet, name);
            return done.incrementAndGet();
          });
    }
    ctx.await(() -> done.get() == 3);
    boolean soon = ctx.await(MONTH, () -> done.get() >= 3);
    return "all " + done + soon;
  }

  private String waitingBranches(Context ctx, String input) {
    var sleeper =
        ctx.async(
            () -> {
              ctx.sleep(MONTH);
              return "slept";
            });
    var daily = ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofDays(1), 10));
    var retry = ctx.async(() -> ctx.with(daily).run(desk::repaired));
    var listener = ctx.async(() -> ctx.receive(WaitScenarios.WORD));
    var limited =
        ctx.async(() -> ctx.withTimeout(MONTH.multipliedBy(2), () -> ctx.run(desk::patient)));
    return String.join("|", ctx.all(List.of(sleeper, retry, listener, limited)));
  }

  private static void allWait(Run run) {
    run.awaitEvents("ActivityRetryScheduled", 1);
    run.awaitWait("sleep:1");
    run.awaitWait("patient");
  }
}
