package dev.reprise.verification.simulation;

import dev.reprise.Client;
import dev.reprise.QueueLimits;
import dev.reprise.RepriseException;
import dev.reprise.TerminalFailure;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.task.TaskToken;
import dev.reprise.verification.simulation.Call.Kind;
import dev.reprise.verification.simulation.WatchedTask.State;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Those who complete activities from outside, some of them wrongly or twice, and one who changes
 * the limits of queues.
 */
final class Outsiders {
  private static final Duration ROUND = Duration.ofSeconds(3);

  private final SimulatedProcess process; // nothing happens to it
  private final Fleet fleet;
  private final Scheduler scheduler;
  private final Auditor auditor;
  private final Asker asker;
  private final Callers callers;

  Outsiders(SimulatedProcess process, Fleet fleet, Auditor auditor, Asker asker, Callers callers) {
    this.process = process;
    this.fleet = fleet;
    this.scheduler = fleet.scheduler();
    this.auditor = auditor;
    this.asker = asker;
    this.callers = callers;
  }

  // ---- completing

  private enum Told {
    ACCEPTED,
    ALREADY,
    STALE,
    UNKNOWN_TOKEN,
    MISFIT
  }

  void entrusted(String token, String result) {
    int luck = scheduler.random().nextInt(10);
    callers.begin(
        () -> {
          if (TaskToken.parse(token).attempt() <= JobWork.HASTY) callers.pause(1_500);
          end(token, result, luck);
        });
    if (luck < 2) callers.begin(() -> complete(token, result + "+")); // at the same time
  }

  private void end(String token, String result, int luck) {
    switch (luck) {
      case 2 -> forge(token, result);
      case 3 -> misfit(token);
      case 4 -> fail(token, new IllegalStateException("not yet"));
      case 5 -> fail(token, new TerminalFailure("never"));
      default -> {}
    }
    complete(token, result);
    if (luck > 7) complete(token, result + "+"); // again, with another result
  }

  private void forge(String token, String result) {
    var real = TaskToken.parse(token);
    var forged = new TaskToken(real.ref(), real.attempt(), real.secret() + 1);
    var told = ask(token, client -> client.complete(forged.toString(), result).name());
    auditor.count("forged tokens refused");
    if (told != Told.UNKNOWN_TOKEN) wrong(token, "was completed with a forged token: " + told);
  }

  private void misfit(String token) {
    var told = ask(token, client -> client.complete(token, List.of(1)).name());
    auditor.count("results of the wrong type refused");
    if (told != Told.MISFIT) wrong(token, "was completed with a list: " + told);
  }

  private void fail(String token, RuntimeException failure) {
    var told = ask(token, client -> client.fail(token, failure).name());
    auditor.count("failed from outside: " + told);
    check(token, told, true);
  }

  private void complete(String token, String result) {
    var told = ask(token, client -> client.complete(token, result).name());
    auditor.count("completed from outside: " + told);
    check(token, told, false);
    if (told != Told.ACCEPTED) return;
    var task = task(token);
    boolean stored =
        task.end instanceof Event.ActivityCompleted done
            && done.attempts() == TaskToken.parse(token).attempt()
            && Chain.plain(done.result().toString()).equals(result);
    if (!stored) wrong(token, "was completed with %s, stored is %s".formatted(result, task.end));
  }

  /** What he is told is so. After a failure that he told before, the next attempt may wait. */
  private void check(String token, Told told, boolean failed) {
    var task = task(token);
    int attempt = TaskToken.parse(token).attempt();
    boolean current = task.isHeld() && task.attempt == attempt;
    boolean isKnown = failed && task.failedAttempts.contains(attempt);
    boolean right =
        switch (told) {
          case ACCEPTED -> !current;
          case ALREADY -> task.state == State.ENDED || isKnown;
          case STALE -> !current;
          case UNKNOWN_TOKEN, MISFIT -> false;
        };
    if (!right) wrong(token, "somebody outside was told " + told);
  }

  private WatchedTask task(String token) {
    return Objects.requireNonNull(auditor.tasks().find(TaskToken.parse(token).ref()));
  }

  private void wrong(String token, String what) {
    auditor.violation("%s %s".formatted(task(token), what));
  }

  /** Until there is an answer. */
  private Told ask(String token, Function<Client, String> question) {
    var call = asker.ask(Kind.COMPLETE, "task", token, client -> answer(client, question));
    return Told.valueOf(call.value());
  }

  private static String answer(Client client, Function<Client, String> question) {
    try {
      var told = question.apply(client);
      return (told.equals(Told.ACCEPTED.name()) ? Told.ACCEPTED : Told.ALREADY).name();
    } catch (RepriseException e) {
      return switch (e.code()) {
        case R133 -> Told.UNKNOWN_TOKEN.name();
        case R134 -> Told.STALE.name();
        case R136 -> Told.MISFIT.name();
        default -> throw e;
      };
    }
  }

  // ---- limits

  /** Changes limits as long as there is trouble, and lets no queue stand still after that. */
  void limit() {
    process.begin(
        "limits",
        () -> {
          while (!fleet.isCalm()) {
            callers.pause(2_000);
            set(scheduler.random().nextInt(Terms.QUEUES), drawn());
          }
          while (true) {
            for (int i = 0; i < Terms.QUEUES; i++) {
              if (auditor.tasks().isPaused(Terms.queue(i))) set(i, QueueLimits.none());
            }
            process.sleep(ROUND);
          }
        });
  }

  private void set(int queue, QueueLimits limits) {
    var member = fleet.any();
    if (member == null) return;
    asker.askOnce(
        member,
        Kind.LIMIT,
        Terms.queue(queue),
        client -> {
          client.limit(Terms.queue(queue), limits);
          return "";
        });
  }

  private QueueLimits drawn() {
    var random = scheduler.random();
    var none = QueueLimits.none();
    return switch (random.nextInt(7)) {
      case 0 -> none;
      case 1 -> none.paused();
      case 2 -> none.concurrency(1 + random.nextInt(2));
      case 3 -> none.perKey(1);
      case 4 -> none.rate(1 + random.nextInt(3), Duration.ofMillis(300 + random.nextInt(500)));
      case 5 -> none.perWorker(1).fair();
      default -> none.perKey(1).concurrency(2).weight("k1", 3).rate(5, Duration.ofSeconds(1));
    };
  }
}
