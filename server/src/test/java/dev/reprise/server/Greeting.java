package dev.reprise.server;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import java.time.Duration;

/** A workflow with something of everything that a history can show. */
final class Greeting implements Workflow<String, String> {
  private static final ActivityOptions TWICE =
      ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(1), 2));

  @Override
  public String run(Context ctx, String name) {
    var greeting = ctx.run("greet", String.class, () -> "Hello, " + name);
    ctx.sleep(Duration.ofMillis(1));
    if (name.equals("late")) ctx.sleep(Duration.ofHours(1));
    if (name.isEmpty()) ctx.with(TWICE).run("complain", Greeting::complain);
    if (name.equals("Li")) return ctx.run(Greeting::repeat, name, 2);
    return greeting;
  }

  private static String repeat(String text, int times) {
    return text.repeat(times);
  }

  private static void complain() {
    throw new IllegalStateException("no name\nat all");
  }
}
