package dev.reprise.verification.simulation;

import dev.reprise.Client;
import dev.reprise.ErrorCode;
import dev.reprise.StartOptions;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.verification.simulation.Call.Answer;
import dev.reprise.verification.simulation.Call.Kind;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Those who start workflows, signal and cancel them, and wait for the results. */
final class Callers {
  private final SimulatedProcess process; // nothing happens to it
  private final Fleet fleet;
  private final Scheduler scheduler;
  private final Auditor auditor;
  private final Asker asker;
  private int busy;

  Callers(SimulatedProcess process, Fleet fleet, Auditor auditor, Asker asker) {
    this.process = process;
    this.fleet = fleet;
    this.scheduler = fleet.scheduler();
    this.auditor = auditor;
    this.asker = asker;
  }

  boolean areDone() {
    return busy == 0;
  }

  void begin(Runnable work) {
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
    long number = random.nextLong() << 3;
    begin(() -> drive(id, number));
    if (random.nextInt(6) == 0) begin(() -> start(id, number)); // the same, at the same time
    if (random.nextInt(6) == 0) begin(() -> start(id, number + Program.STEP)); // a rival
    int senders = 1 + random.nextInt(2);
    for (int i = 0; i < senders; i++) {
      var sender = "s" + i;
      begin(() -> send(id, sender, 1 + random.nextInt(4)));
    }
    if (random.nextInt(5) == 0) {
      begin(
          () -> {
            pause(4_000);
            asker.ask(Kind.CANCEL, id, "", client -> cancel(client, id), random.nextInt(4) > 0);
          });
    }
  }

  /** A run that kills its processes is held in the end, and only then is its starter told. */
  void poison(String id) {
    begin(
        () -> {
          while (isOpen(id)) process.sleep(Asker.LOOK);
        });
  }

  /** Starts it, again if need be, and waits for a while. */
  private boolean isOpen(String id) {
    var member = fleet.any();
    if (member == null) return true;
    var reply =
        asker.askOnce(
            member,
            Kind.RESULT,
            id,
            client -> {
              client.start(Poison.class, id, 0L);
              return isQuarantined(client, id) ? "" : null;
            });
    return reply.answer() != Answer.DONE;
  }

  private boolean isQuarantined(Client client, String id) {
    try {
      client.handle(Poison.class, id).result(Asker.LOOK);
      auditor.violation(id + " has come to its end");
    } catch (TimeoutException open) {
      return false;
    } catch (WorkflowBlocked blocked) {
      if (blocked.toString().contains(ErrorCode.R145.name())) {
        client.resume(id); // it was misread, and has not been tried often enough yet
        return false;
      }
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
        Math.max(Program.receives(number), Program.receives(number + Program.STEP));
    await(id, receives);
  }

  /** Waits for the end, and sends signals: it may wait for one that nobody else sends. */
  void await(String id, int receives) {
    for (int extra = 0; ; extra++) {
      var told = asker.ask(Kind.RESULT, id, "", client -> result(client, id)).answer();
      if (told != Answer.UNKNOWN) return;
      if (extra >= receives) continue;
      var note = (id.endsWith("-fork") ? "f-" : "x-") + extra; // a fork knows those of its source
      asker.ask(Kind.SIGNAL, id, note, client -> signal(client, id, note));
    }
  }

  private Answer start(String id, long number) {
    var input = Long.toString(number);
    int timeout = Program.timeoutMillis(number);
    var options = StartOptions.defaults();
    var limited = timeout == 0 ? options : options.timeout(Duration.ofMillis(timeout));
    return asker
        .ask(
            Kind.START,
            id,
            input,
            client -> {
              client.start(Play.class, id, number, limited);
              return "";
            })
        .answer();
  }

  /** One after the other: the next one is sent when the one before is answered. */
  private void send(String id, String sender, int count) {
    for (int i = 0; i < count; i++) {
      pause(1_500);
      var note = sender + "-" + i;
      boolean patient = scheduler.random().nextInt(8) > 0;
      var told = Answer.ABSENT;
      for (int again = 0; told == Answer.ABSENT && again < 5; again++) {
        told =
            asker.ask(Kind.SIGNAL, id, note, client -> signal(client, id, note), patient).answer();
        if (told == Answer.ABSENT) pause(3_000); // it has not been started yet
      }
    }
  }

  private static String signal(Client client, String id, String note) {
    client.signal(id, Play.NOTE, note, message(note));
    return "";
  }

  /** The id of a note is also that of an update, as visitors and senders do not know each other. */
  private static String message(String note) {
    return note.replaceFirst("^s0", Scene.GOOD).replaceFirst("^s1", Scene.SLOW);
  }

  private static String cancel(Client client, String id) {
    client.cancel(id, "enough");
    return "";
  }

  private static @Nullable String result(Client client, String id) {
    try {
      return client.handle(Play.class, id).result(Asker.LOOK);
    } catch (TimeoutException open) {
      return null;
    } catch (WorkflowCancelled cancelled) {
      return "cancelled";
    } catch (WorkflowFailed failed) {
      return "failed";
    } catch (WorkflowTimedOut late) {
      return "timed out";
    } catch (WorkflowTerminated terminated) {
      return "terminated";
    }
  }

  void pause(int mostMillis) {
    process.sleep(Duration.ofMillis(scheduler.random().nextInt(mostMillis)));
  }
}
