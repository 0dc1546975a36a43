package dev.reprise.verification.simulation;

import dev.reprise.Client;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.verification.simulation.Call.Answer;
import dev.reprise.verification.simulation.Call.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Those who start workflows, signal and cancel them, and wait for the results. */
final class Callers {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final SimulatedProcess process; // nothing happens to it
  private final Fleet fleet;
  private final Scheduler scheduler;
  private final Auditor auditor;
  private final Duration patience;
  private final Trace trace;
  private final List<Call> calls = new ArrayList<>();
  private int busy;

  Callers(
      SimulatedProcess process,
      Fleet fleet,
      Scheduler scheduler,
      Auditor auditor,
      Plan plan,
      Trace trace) {
    this.process = process;
    this.fleet = fleet;
    this.scheduler = scheduler;
    this.auditor = auditor;
    this.patience = plan.callTimeout().plusSeconds(3);
    this.trace = trace;
  }

  List<Call> calls() {
    return calls;
  }

  boolean areDone() {
    return busy == 0;
  }

  private void begin(Runnable work) {
    busy++;
    process.begin(
        "caller",
        () -> {
          work.run();
          busy--;
        });
  }

  // ---- what they do

  /** Everything about one workflow. */
  void take(String id) {
    var random = scheduler.random();
    long number = random.nextLong();
    begin(() -> drive(id, number));
    if (random.nextInt(6) == 0) begin(() -> start(id, number)); // the same, at the same time
    if (random.nextInt(6) == 0) begin(() -> start(id, number + 1)); // a rival
    int senders = 1 + random.nextInt(2);
    for (int i = 0; i < senders; i++) {
      var sender = "s" + i;
      begin(() -> send(id, sender, 1 + random.nextInt(4)));
    }
    if (random.nextInt(5) == 0) {
      begin(
          () -> {
            pause(4_000);
            ask(Kind.CANCEL, id, "", client -> cancel(client, id), random.nextInt(4) > 0);
          });
    }
  }

  /** A run that kills its processes is held in the end, and only then is its starter told. */
  void poison(String id) {
    begin(
        () -> {
          while (isOpen(id)) process.sleep(LOOK);
        });
  }

  /** Starts it, again if need be, and waits for a while. */
  private boolean isOpen(String id) {
    var member = fleet.any();
    if (member == null) return true;
    var reply =
        askOnce(
            member,
            Kind.RESULT,
            id,
            client -> {
              client.start(Poison.class, id, 0L);
              return isQuarantined(client, id) ? "" : null;
            });
    return reply.answer != Answer.DONE;
  }

  private boolean isQuarantined(Client client, String id) {
    try {
      client.handle(Poison.class, id).result(LOOK);
      auditor.violation(id + " has come to its end");
    } catch (TimeoutException open) {
      return false;
    } catch (WorkflowBlocked blocked) {
      if (!blocked.toString().contains(ErrorCode.R124.name())) {
        auditor.violation("%s is blocked: %s".formatted(id, blocked));
      }
      auditor.count("runs quarantined");
    }
    return true;
  }

  private void drive(String id, long number) {
    pause(2_000);
    if (start(id, number) == Answer.UNKNOWN) return;
    int receives = // of the rival, too, who may have been first
        Math.max(Program.receives(Program.of(number)), Program.receives(Program.of(number + 1)));
    for (int extra = 0; ; extra++) {
      var told = ask(Kind.RESULT, id, "", client -> result(client, id));
      if (told != Answer.UNKNOWN) return;
      if (extra >= receives) continue;
      var note = "x-" + extra; // it may wait for a signal that nobody else sends
      ask(Kind.SIGNAL, id, note, client -> signal(client, id, note));
    }
  }

  private Answer start(String id, long number) {
    var input = Long.toString(number);
    return ask(
        Kind.START,
        id,
        input,
        client -> {
          client.start(Play.class, id, number);
          return "";
        });
  }

  /** One after the other: the next one is sent when the one before is answered. */
  private void send(String id, String sender, int count) {
    for (int i = 0; i < count; i++) {
      pause(1_500);
      var note = sender + "-" + i;
      boolean patient = scheduler.random().nextInt(8) > 0;
      var told = Answer.ABSENT;
      for (int again = 0; told == Answer.ABSENT && again < 5; again++) {
        told = ask(Kind.SIGNAL, id, note, client -> signal(client, id, note), patient);
        if (told == Answer.ABSENT) pause(3_000); // it has not been started yet
      }
    }
  }

  private static String signal(Client client, String id, String note) {
    client.signal(id, Play.NOTE, note, note);
    return "";
  }

  private static String cancel(Client client, String id) {
    client.cancel(id, "enough");
    return "";
  }

  private static @Nullable String result(Client client, String id) {
    try {
      return client.handle(Play.class, id).result(LOOK);
    } catch (TimeoutException open) {
      return null;
    } catch (WorkflowCancelled cancelled) {
      return "cancelled";
    } catch (WorkflowFailed failed) {
      return "failed"; // a step that was given up when the workflow was cancelled
    }
  }

  private void pause(int mostMillis) {
    process.sleep(Duration.ofMillis(scheduler.random().nextInt(mostMillis)));
  }

  // ---- asking

  private record Reply(@Nullable Answer answer, String value) {}

  private Answer ask(
      Kind kind, String id, String argument, Function<Client, @Nullable String> question) {
    return ask(kind, id, argument, question, true);
  }

  /** Asks, and if he is patient until there is an answer; a result may not be there yet. */
  private Answer ask(
      Kind kind,
      String id,
      String argument,
      Function<Client, @Nullable String> question,
      boolean patient) {
    long from = scheduler.now();
    for (boolean again = false; ; again = true) {
      var member = fleet.any();
      var reply = member == null ? new Reply(null, "") : askOnce(member, kind, id, question);
      if (reply.answer == null && !patient) reply = new Reply(Answer.UNKNOWN, "");
      if (reply.answer != null) {
        boolean unknown = reply.answer == Answer.UNKNOWN;
        long to = unknown ? Long.MAX_VALUE : scheduler.now();
        var call =
            new Call(id, kind, argument, from, to, reply.answer, reply.value, by(member, again));
        trace.log("told: %s", call);
        if (!(unknown && kind == Kind.RESULT)) calls.add(call);
        return reply.answer;
      }
      auditor.count("calls made again");
      process.sleep(PAUSE);
    }
  }

  private static String by(Fleet.@Nullable Member member, boolean again) {
    return member == null || again ? "" : member.process().name();
  }

  private Reply askOnce(
      Fleet.Member member, Kind kind, String id, Function<Client, @Nullable String> question) {
    var reply = new CompletableFuture<Reply>();
    trace.log("ask %s of %s by %s", kind, id, member.process());
    fleet.ask(member, engine -> reply.complete(reply(id, engine, question)));
    try {
      return process.await(reply, patience.plus(LOOK));
    } catch (TimeoutException late) {
      return new Reply(null, ""); // it died, or stands still
    } catch (ExecutionException | InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Reply reply(String id, Client client, Function<Client, @Nullable String> question) {
    try {
      var value = question.apply(client);
      return value == null ? new Reply(Answer.UNKNOWN, "") : new Reply(Answer.DONE, value);
    } catch (WorkflowBlocked blocked) {
      return blocked(id, client, blocked);
    } catch (RepriseException e) {
      return switch (e.code()) {
        case R114 -> new Reply(Answer.CLOSED, "");
        case R113 -> new Reply(Answer.ABSENT, "");
        case R105 -> new Reply(Answer.IN_USE, "");
        case R118, R119, R122, R123 -> new Reply(null, "");
        default -> {
          auditor.violation("a caller was told: " + e);
          yield new Reply(Answer.UNKNOWN, "");
        }
      };
    } catch (RuntimeException e) {
      auditor.violation("a caller was told: " + e);
      return new Reply(Answer.UNKNOWN, "");
    }
  }

  /** Many crashes can make a run look bad that is not. */
  private Reply blocked(String id, Client client, WorkflowBlocked blocked) {
    auditor.count("runs quarantined without guilt");
    boolean quarantined = blocked.toString().contains(ErrorCode.R124.name());
    if (!quarantined) auditor.violation("%s is blocked: %s".formatted(id, blocked));
    try {
      client.resume(id);
    } catch (RepriseException again) {
      trace.log("%s could not be resumed: %s", id, again);
    }
    return new Reply(null, "");
  }
}
