package dev.reprise.verification.histories;

import dev.reprise.Child;
import dev.reprise.ChildFailed;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ParentClose;
import dev.reprise.WorkflowCancelled;
import java.time.Duration;
import java.util.List;

/** Parents and children. Never change one of these: see the package. */
final class ChildScenarios {
  private static final Duration MONTH = Duration.ofDays(30);

  private final Desk desk;

  ChildScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("child", this::child),
        Scenario.closed("children", this::children),
        Scenario.closed("closing-parent", this::closing),
        Scenario.open("waiting-parent", this::waiting, run -> run.awaitWait("waiting-child")));
  }

  /** Does what its input says. */
  private String child(Context ctx, String input) {
    return switch (input) {
      case "fail" -> throw new IllegalStateException("the child failed");
      case "wait" -> ctx.receive(WaitScenarios.WORD);
      case "sleep" -> {
        ctx.sleep(MONTH);
        yield "slept";
      }
      case "stay" -> {
        try {
          yield ctx.receive(WaitScenarios.WORD);
        } catch (WorkflowCancelled cancelled) {
          yield "stayed: " + cancelled.reason();
        }
      }
      default -> ctx.run(desk::greet, input);
    };
  }

  private static Child<String> start(Context ctx, String id, String input, ParentClose close) {
    var options =
        ChildOptions.defaults().id(id).onParentClose(close).timeout(MONTH.multipliedBy(2));
    return ctx.start("child", input, String.class, options);
  }

  private String children(Context ctx, String input) {
    var well = start(ctx, "good-child", input, ParentClose.CANCEL);
    var told = start(ctx, "told-child", "wait", ParentClose.CANCEL);
    told.signal(WaitScenarios.WORD, "hello child");
    var stopped = start(ctx, "stopped-child", "wait", ParentClose.CANCEL);
    stopped.cancel("enough");
    var failed = start(ctx, "failing-child", "fail", ParentClose.CANCEL);
    return String.join(
        ", ", well.result().await(), told.result().await(), ended(stopped), ended(failed));
  }

  private static String ended(Child<String> child) {
    try {
      return child.result().await();
    } catch (ChildFailed failed) {
      return failed.status() + " " + failed.failure().message();
    }
  }

  private String closing(Context ctx, String input) {
    start(ctx, "cancelled-child", "stay", ParentClose.CANCEL);
    start(ctx, "terminated-child", "wait", ParentClose.TERMINATE);
    start(ctx, "abandoned-child", "sleep", ParentClose.ABANDON);
    return ctx.run(desk::greet, input);
  }

  private String waiting(Context ctx, String input) {
    var child = start(ctx, "waiting-child", "sleep", ParentClose.CANCEL);
    return child.result().await() + ctx.run(desk::greet, input);
  }
}
