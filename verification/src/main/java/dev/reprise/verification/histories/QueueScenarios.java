package dev.reprise.verification.histories;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.TimedOut;
import java.time.Duration;
import java.util.List;

/** Activities on queues. Never change one of these: see the package. */
final class QueueScenarios {
  /** Served while histories are recorded, and later. */
  static final String SERVED = "desk";

  /** Served later. */
  static final String LATER = "later";

  private static final ActivityOptions ON_DESK =
      ActivityOptions.onQueue(SERVED).retry(RetryPolicy.fixed(Duration.ofMillis(1), 10));
  private static final Duration MOMENT = Duration.ofMillis(50);

  private final Desk desk;

  QueueScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("queued", this::queued),
        Scenario.closed("queued-retries", this::retries),
        Scenario.closed("queued-and-given-up", this::givenUp),
        Scenario.closed("queued-for-nobody", this::ignored),
        Scenario.open("waiting-on-a-queue", this::waiting, run -> run.awaitWait(LATER)));
  }

  private String queued(Context ctx, String input) {
    var post = ctx.activities(Desk.Post.class, ON_DESK);
    var promise = ctx.with(ON_DESK.priority(1).key("ada")).schedule(desk::greet, input);
    var order = ctx.with(ON_DESK).run(desk::order, "o-1", 2);
    post.close();
    return post.send(input, 3) + promise.await() + order.total();
  }

  private String retries(Context ctx, String input) {
    return ctx.with(ON_DESK).run(desk::moody);
  }

  private String givenUp(Context ctx, String input) {
    var later = ActivityOptions.onQueue(LATER);
    try {
      return ctx.withTimeout(MOMENT, () -> ctx.with(later).run(desk::greet, input));
    } catch (TimedOut late) {
      ctx.sleep(MOMENT.multipliedBy(10));
      return "given up";
    }
  }

  private String ignored(Context ctx, String input) {
    ctx.with(ON_DESK).schedule(desk::note, input);
    return "not waited for";
  }

  private String waiting(Context ctx, String input) {
    return ctx.with(ActivityOptions.onQueue(LATER)).run(desk::greet, input);
  }
}
