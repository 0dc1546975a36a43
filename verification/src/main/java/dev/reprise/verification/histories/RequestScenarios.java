package dev.reprise.verification.histories;

import dev.reprise.Context;
import dev.reprise.HandlerFailed;
import dev.reprise.Key;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.Update;
import java.util.List;

/** Updates, queries, published values. Never change one of these: see the package. */
final class RequestScenarios {
  private static final Update<Integer, Integer> ADD =
      Update.of("add", Integer.class, Integer.class);
  private static final Query<String, Integer> SUM = Query.of("sum", String.class, Integer.class);
  private static final Key<Integer> LATEST = Key.of("latest", Integer.class);

  private final Desk desk;

  RequestScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("updates", this::sums, this::update),
        Scenario.open("updates-from-elsewhere", this::sums, run -> run.awaitWait("word"))
            .then(RequestScenarios::updateElsewhere)
            .finishedBy(run -> run.signal(WaitScenarios.WORD, "end")));
  }

  private String sums(Context ctx, String input) {
    var sum = new int[1];
    ctx.onQuery(SUM, _ -> sum[0]);
    ctx.onUpdate(
        ADD,
        number -> {
          if (number < 0) throw new IllegalArgumentException("less than nothing");
        },
        number -> {
          ctx.run(desk::hello);
          if (number == 13) throw new IllegalStateException("bad luck");
          sum[0] += number;
          ctx.publish(LATEST, number);
          return sum[0];
        });
    return ctx.receive(WaitScenarios.WORD) + sum[0];
  }

  private void update(Run run) {
    updateElsewhere(run);
    run.engine().query(run.id(), SUM, "");
    run.signal(WaitScenarios.WORD, "end");
  }

  private static void updateElsewhere(Run run) {
    expect(RepriseException.class, () -> run.engine().update(run.id(), ADD, -1));
    run.engine().update(run.id(), ADD, 4);
    expect(HandlerFailed.class, () -> run.engine().update(run.id(), ADD, 13));
    run.engine().update(run.id(), ADD, 5);
  }

  private static void expect(Class<? extends RuntimeException> type, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      if (type.isInstance(e)) return;
      throw e;
    }
    throw new IllegalStateException("it was not refused");
  }
}
