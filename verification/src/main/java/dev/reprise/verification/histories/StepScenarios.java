package dev.reprise.verification.histories;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.TerminalFailure;
import dev.reprise.TypeRef;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Activities: how they are called, how they fail. Never change one of these: see the package. */
final class StepScenarios {
  private static final ActivityOptions THRICE =
      ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(1), 3));
  private static final ActivityOptions ONCE = ActivityOptions.defaults().retry(RetryPolicy.none());

  private final Desk desk;

  StepScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("steps", this::steps),
        Scenario.closed("values", this::values),
        Scenario.closed("proxies", this::proxies),
        Scenario.closed("retries", this::retries),
        Scenario.closed("caught-failures", this::caughtFailures),
        Scenario.closed("failed", this::failed),
        Scenario.closed("failed-by-activity", this::failedByActivity),
        Scenario.closed("patched", this::patched),
        Scenario.open(
            "between-attempts",
            this::betweenAttempts,
            run -> run.awaitEvents("ActivityRetryScheduled", 1)),
        Scenario.open("in-an-activity", this::inAnActivity, run -> run.awaitWait("patient")),
        Scenario.open("blocked", this::blocked, Run::awaitBlocked)
            .finishedBy(run -> run.engine().resume(run.id())));
  }

  @SuppressWarnings("NullAway") // an argument that is not there has a digest, too
  private String steps(Context ctx, String input) {
    var hello = ctx.run(desk::hello);
    var greeting = ctx.run(desk::greet, input);
    var order = ctx.run(desk::order, "o-1", 3);
    var price = ctx.run(desk::price, order, true, "voucher");
    var again = ctx.run(desk::price, order, false, (String) null);
    ctx.run(desk::note, order);
    var empty = ctx.run(desk::nothing);
    var label = ctx.run("a label: with a colon", String.class, () -> "labelled");
    var list = ctx.run("list", new TypeRef<List<Integer>>() {}, () -> List.of(3, 1, 2));
    ctx.run("silent", () -> {});
    var named = ctx.with(ActivityOptions.defaults().id("my own id")).run(desk::greet, "you");
    var second = ctx.run(desk::greet, input);
    return String.join(
        "|", hello, greeting, label, named, second, "" + order, "" + price + again + empty + list);
  }

  /** What is random or a time is the same again, and the digests of arguments tell. */
  private String values(Context ctx, String input) {
    var random = ctx.random();
    ctx.run(desk::note, random.nextInt());
    ctx.run(desk::note, random.nextInt(10, 1_000));
    ctx.run(desk::note, random.nextLong());
    ctx.run(desk::note, random.nextBoolean());
    ctx.run(desk::note, random.ints(5, 0, 100).boxed().toList());
    ctx.run(desk::dated, ctx.uuid(), ctx.now(), random.nextDouble());
    ctx.sleep(Duration.ofMillis(1));
    ctx.run(desk::note, List.of(ctx.now().toString(), ctx.workflowId(), ctx.runId()));
    return "%s %s %s".formatted(ctx.uuid(), random.nextGaussian(), ctx.now());
  }

  private String proxies(Context ctx, String input) {
    var post = ctx.activities(Desk.Post.class);
    var sent = post.send(input, 2);
    ctx.activities(Desk.Post.class, ONCE).close();
    return sent;
  }

  private String retries(Context ctx, String input) {
    return ctx.with(THRICE).run(desk::moody) + ctx.run(desk::greet, input);
  }

  private String caughtFailures(Context ctx, String input) {
    var caught = new StringBuilder();
    try {
      ctx.with(ONCE).run("refused", () -> refuse(input));
    } catch (ActivityFailed failed) {
      caught.append(failed.failure().message());
    }
    var limited = ONCE.timeout(Duration.ofMillis(5));
    try {
      ctx.with(limited).run("endless", () -> new CountDownLatch(1).await());
    } catch (ActivityFailed failed) {
      caught.append(failed.failure().type());
    }
    ctx.run("undo", () -> {});
    return caught.toString();
  }

  private static void refuse(String input) {
    throw new IllegalStateException("refused " + input, new IllegalArgumentException("because"));
  }

  private String failed(Context ctx, String input) {
    ctx.run(desk::greet, input);
    throw new IllegalStateException("no way", new UnsupportedOperationException(input));
  }

  private String failedByActivity(Context ctx, String input) {
    return ctx.run(
        "charge",
        String.class,
        () -> {
          throw new TerminalFailure("no money", "account of " + input, null);
        });
  }

  private String patched(Context ctx, String input) {
    var text = ctx.run(desk::greet, input);
    if (ctx.patched("politeness")) text += ctx.run("thanks", String.class, () -> ", thank you");
    if (ctx.patched("politeness")) text += "!";
    return text;
  }

  private String betweenAttempts(Context ctx, String input) {
    var daily = ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofDays(1), 10));
    return ctx.with(daily).run(desk::repaired) + ctx.run(desk::greet, input);
  }

  private String inAnActivity(Context ctx, String input) {
    ctx.run(desk::greet, input);
    return ctx.run(desk::patient);
  }

  private String blocked(Context ctx, String input) {
    ctx.run(desk::greet, input);
    return ctx.activities(Desk.Lost.class).find(input);
  }
}
