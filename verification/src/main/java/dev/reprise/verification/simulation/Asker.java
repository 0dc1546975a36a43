package dev.reprise.verification.simulation;

import dev.reprise.Client;
import dev.reprise.ErrorCode;
import dev.reprise.HandlerFailed;
import dev.reprise.RepriseException;
import dev.reprise.WorkflowBlocked;
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

/** How callers ask: through any process, and again if they are not answered. */
final class Asker {
  static final Duration LOOK = Duration.ofSeconds(2); // how long one waits for a result

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final SimulatedProcess process; // nothing happens to it
  private final Fleet fleet;
  private final Scheduler scheduler;
  private final Auditor auditor;
  private final Duration patience;
  private final Trace trace;
  private final List<Call> calls = new ArrayList<>();

  Asker(SimulatedProcess process, Fleet fleet, Auditor auditor, Duration callTimeout, Trace trace) {
    this.process = process;
    this.fleet = fleet;
    this.scheduler = fleet.scheduler();
    this.auditor = auditor;
    this.patience = callTimeout.plusSeconds(3);
    this.trace = trace;
  }

  /** What was told. */
  List<Call> calls() {
    return calls;
  }

  /**
   * What was said.
   *
   * @param answer null if nothing was
   */
  record Reply(@Nullable Answer answer, String value) {
    static final Reply NONE = new Reply(null, "");
  }

  Call ask(Kind kind, String id, String argument, Function<Client, @Nullable String> question) {
    return ask(kind, id, argument, question, true);
  }

  /** Asks, and if he is patient until there is an answer; a result may not be there yet. */
  Call ask(
      Kind kind,
      String id,
      String argument,
      Function<Client, @Nullable String> question,
      boolean patient) {
    long from = scheduler.now();
    for (boolean again = false; ; again = true) {
      var member = fleet.any();
      var reply = member == null ? Reply.NONE : askOnce(member, kind, id, question);
      if (reply.answer == null && !patient) reply = new Reply(Answer.UNKNOWN, "");
      if (reply.answer != null) {
        boolean unknown = reply.answer == Answer.UNKNOWN;
        long to = unknown ? Long.MAX_VALUE : scheduler.now();
        var call =
            new Call(id, kind, argument, from, to, reply.answer, reply.value, by(member, again));
        trace.log("told: %s", call);
        if (!(unknown && kind == Kind.RESULT)) calls.add(call);
        return call;
      }
      auditor.count("calls made again");
      process.sleep(PAUSE);
    }
  }

  private static String by(Fleet.@Nullable Member member, boolean again) {
    return member == null || again ? "" : member.process().name();
  }

  Reply askOnce(
      Fleet.Member member, Kind kind, String id, Function<Client, @Nullable String> question) {
    var reply = new CompletableFuture<Reply>();
    trace.log("ask %s of %s by %s", kind, id, member.process());
    fleet.ask(member, engine -> reply.complete(reply(id, engine, question)));
    try {
      return process.await(reply, patience.plus(LOOK));
    } catch (TimeoutException late) {
      return Reply.NONE; // it died, or stands still
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
    } catch (HandlerFailed failed) {
      return new Reply(Answer.DONE, "failed");
    } catch (RepriseException e) {
      return switch (e.code()) {
        case R114 -> new Reply(Answer.CLOSED, "");
        case R113 -> new Reply(Answer.ABSENT, "");
        case R105, R130 -> new Reply(Answer.IN_USE, "");
        case R126, R127 -> new Reply(Answer.REFUSED, e.code().name());
        case R118, R119, R122, R123 -> Reply.NONE;
        default -> wrong(e);
      };
    } catch (RuntimeException e) {
      return wrong(e);
    }
  }

  private Reply wrong(RuntimeException e) {
    auditor.violation("a caller was told: " + e);
    return new Reply(Answer.UNKNOWN, "");
  }

  /**
   * Many crashes can make a run look bad that is not; what cannot be undone can be later, and what
   * was misread once is sound.
   */
  private Reply blocked(String id, Client client, WorkflowBlocked blocked) {
    var reason = blocked.toString();
    auditor.count(
        reason.contains(ErrorCode.R132.name())
            ? "callers told of failed compensations"
            : reason.contains(ErrorCode.R145.name())
                ? "callers told of damage"
                : "runs quarantined without guilt");
    try {
      client.resume(id);
    } catch (RepriseException again) {
      trace.log("%s could not be resumed: %s", id, again);
    }
    return Reply.NONE;
  }
}
