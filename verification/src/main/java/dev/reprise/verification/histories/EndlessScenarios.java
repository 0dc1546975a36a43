package dev.reprise.verification.histories;

import dev.reprise.Context;
import dev.reprise.Fork;
import dev.reprise.Key;
import java.time.Duration;
import java.util.List;

/** Workflows that go on with new runs. Never change one of these: see the package. */
final class EndlessScenarios {
  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Key<Integer> TURN = Key.of("turn", Integer.class);

  private final Desk desk;

  EndlessScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("continued", this::continued, EndlessScenarios::sendAhead),
        Scenario.closed("loop", this::loop),
        Scenario.open(
                "loop-that-goes-on", this::slowLoop, run -> run.awaitEvents("LoopSnapshot", 1))
            .finishedBy(run -> run.signal(WaitScenarios.WORD, "end")),
        Scenario.closed("forked", this::forkable, EndlessScenarios::fork)
            .finishedBy(fork -> fork.signal(WaitScenarios.WORD, "forked")));
  }

  /** Three runs, each with a signal of its own that came long before. */
  private String continued(Context ctx, String input) {
    ctx.attribute("length", input.length());
    ctx.sleep(MOMENT);
    var number = ctx.receive(WaitScenarios.NUMBER);
    if (input.length() > 5) return input + number + ctx.uuid();
    return ctx.continueAsNew(input + number);
  }

  private static void sendAhead(Run run) {
    for (int i = 1; i <= 4; i++) run.engine().signal(run.id(), WaitScenarios.NUMBER, i, "n" + i);
  }

  /** Between two turns. */
  record State(int turn, String seen) {}

  private String loop(Context ctx, String input) {
    var name = ctx.run(desk::greet, input);
    ctx.compensate(desk::hello);
    var last =
        ctx.loop(
            new State(0, name),
            state -> {
              if (state.turn() == 8) return null;
              ctx.publish(TURN, state.turn());
              ctx.attribute("even", state.turn() % 2 == 0 ? true : null);
              if (ctx.patched("longer")) ctx.compensate(desk::greet, "turn " + state.turn());
              return new State(state.turn() + 1, state.seen() + ctx.run(desk::hello));
            });
    return last.seen();
  }

  private String slowLoop(Context ctx, String input) {
    var token = ctx.uuid();
    return ctx.loop(
            new State(0, input),
            state -> {
              if (ctx.receive(WaitScenarios.WORD, state.turn() < 5 ? MOMENT : MONTH).isPresent()) {
                return null;
              }
              ctx.run(desk::hello);
              return new State(state.turn() + 1, state.seen() + (ctx.uuid().equals(token)));
            })
        .seen();
  }

  private String forkable(Context ctx, String input) {
    var first = ctx.run(desk::greet, input);
    var number = ctx.random().nextInt(100);
    return first + number + ctx.receive(WaitScenarios.WORD) + ctx.run(desk::hello) + ctx.uuid();
  }

  /** The fork stays open. */
  private static void fork(Run run) {
    run.awaitWait("word");
    run.signal(WaitScenarios.WORD, "original");
    run.awaitEnd();
    var fork = Fork.of(run.id(), 2).as("fork").result("Desk.greet:1", "edited");
    run.engine().fork(fork);
    new Run(run.engine(), "fork").awaitWait("word");
  }
}
