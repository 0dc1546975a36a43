package dev.reprise.verification.histories;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.TimedOut;
import java.time.Duration;
import java.util.List;

/** Sleeps and signals. Never change one of these: see the package. */
final class WaitScenarios {
  static final Signal<String> WORD = Signal.of("word", String.class);
  static final Signal<Integer> NUMBER = Signal.of("number", Integer.class);

  private static final Duration MOMENT = Duration.ofMillis(2);
  private static final Duration MONTH = Duration.ofDays(30);

  private final Desk desk;

  WaitScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("sleeps", this::sleeps),
        Scenario.closed("signals", this::signals, WaitScenarios::sendAll),
        Scenario.closed("limits", this::limits),
        Scenario.closed("unread-signals", this::unreadSignals, WaitScenarios::sendUnread),
        Scenario.open("waiting-for-a-signal", this::waitingForASignal, this::halfWay)
            .finishedBy(run -> run.signal(NUMBER, 7)),
        Scenario.open("sleeping", this::sleeping, run -> run.awaitWait("sleep:2")),
        Scenario.open(
            "waiting-with-a-limit", this::waitingWithALimit, run -> run.awaitWait("due")));
  }

  private String sleeps(Context ctx, String input) {
    ctx.sleep(MOMENT);
    ctx.sleepUntil(ctx.now().plus(MOMENT));
    ctx.sleep(Duration.ZERO);
    ctx.sleepUntil(ctx.now().minusSeconds(1));
    return ctx.run(desk::greet, input);
  }

  private String signals(Context ctx, String input) {
    var first = ctx.receive(WORD);
    var number = ctx.receive(NUMBER, MONTH);
    var any = ctx.receiveAny();
    var last = ctx.receiveAny(MONTH).orElseThrow();
    return first + number + any.name() + any.value(WORD) + last.name() + ctx.run(desk::hello);
  }

  private static void sendAll(Run run) {
    run.awaitWait("word");
    run.signal(NUMBER, 1);
    run.signal(WORD, "one");
    run.signal(WORD, "two");
    run.signal(NUMBER, 2);
  }

  private String limits(Context ctx, String input) {
    var nothing = ctx.receive(WORD, MOMENT);
    var nobody = ctx.receiveAny(MOMENT);
    boolean never = ctx.await(MOMENT, () -> false);
    String late;
    try {
      late =
          ctx.withTimeout(
              MOMENT,
              () -> {
                ctx.sleep(MONTH);
                return "slept";
              });
    } catch (TimedOut over) {
      late = "given up";
    }
    var inTime = ctx.withTimeout(MONTH, () -> ctx.run(desk::greet, input));
    return "%s %s %s %s %s".formatted(nothing.isPresent(), nobody.isPresent(), never, late, inTime);
  }

  private String unreadSignals(Context ctx, String input) {
    ctx.receive(WORD);
    return "the numbers are left";
  }

  private static void sendUnread(Run run) {
    run.signal(NUMBER, 1);
    run.signal(NUMBER, 2);
    run.signal(WORD, "end");
  }

  private String waitingForASignal(Context ctx, String input) {
    return ctx.receive(WORD) + ctx.run(desk::greet, input) + ctx.receive(NUMBER);
  }

  private void halfWay(Run run) {
    run.signal(WORD, "half way");
    run.awaitWait("number");
  }

  private String sleeping(Context ctx, String input) {
    ctx.sleep(MOMENT);
    ctx.sleep(MONTH);
    return ctx.run(desk::greet, input);
  }

  private String waitingWithALimit(Context ctx, String input) {
    return ctx.receive(WORD, MONTH).orElse("nobody came") + ctx.run(desk::greet, input);
  }
}
