package dev.reprise.verification.simulation;

import dev.reprise.Client;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.RepriseException;
import dev.reprise.verification.simulation.Call.Answer;
import dev.reprise.verification.simulation.Call.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Those who come by: they ask workflows for something, fork or end them, and mend what is held. */
final class Visitors {
  private static final Duration ROUND = Duration.ofSeconds(3); // of the operator
  private static final Duration LATEST = Duration.ofSeconds(12); // a call that nobody waits for

  private final SimulatedProcess process; // nothing happens to it
  private final Fleet fleet;
  private final Scheduler scheduler;
  private final Auditor auditor;
  private final Asker asker;
  private final Callers callers;
  private final List<String> forks = new ArrayList<>();

  Visitors(SimulatedProcess process, Fleet fleet, Auditor auditor, Asker asker, Callers callers) {
    this.process = process;
    this.fleet = fleet;
    this.scheduler = fleet.scheduler();
    this.auditor = auditor;
    this.asker = asker;
    this.callers = callers;
  }

  /** Workflow ids of forks that were made. */
  List<String> forks() {
    return forks;
  }

  /** Comes by at one workflow. */
  void visit(String id) {
    var random = scheduler.random();
    if (random.nextInt(2) == 0) callers.begin(() -> update(id, 1 + random.nextInt(3)));
    if (random.nextInt(4) == 0) callers.begin(() -> query(id));
    if (random.nextInt(8) == 0) callers.begin(() -> terminate(id));
    if (random.nextInt(8) == 0) callers.begin(() -> fork(id));
  }

  // ---- requests

  private void update(String id, int count) {
    for (int i = 0; i < count; i++) {
      callers.pause(2_500);
      var kind = scheduler.random().nextInt(3);
      var what = (kind == 0 ? Scene.BAD : kind == 1 ? Scene.SLOW : Scene.GOOD) + "-" + i;
      boolean patient = scheduler.random().nextInt(4) > 0;
      asker.ask(
          Kind.UPDATE, id, what, client -> client.update(id, Play.CHANGE, what, what), patient);
    }
  }

  private void query(String id) {
    for (int i = 0; i < 3; i++) {
      callers.pause(2_500);
      var member = fleet.any();
      if (member == null) continue;
      asker.askOnce(member, Kind.QUERY, id, client -> queried(client, id, member.isClient()));
    }
  }

  /** A client that has no code may say so. */
  private @Nullable String queried(Client client, String id, boolean withoutCode) {
    try {
      var answer = client.query(id, Play.CHANGES, "");
      auditor.count("queries answered");
      client.published(id, Play.TOLD).ifPresent(_ -> auditor.count("published values read"));
      return String.valueOf(answer);
    } catch (RepriseException e) {
      if (withoutCode && e.code() == ErrorCode.R102) return null;
      throw e;
    }
  }

  // ---- ends

  private void terminate(String id) {
    callers.pause(6_000);
    boolean undo = scheduler.random().nextBoolean();
    boolean patient = scheduler.random().nextInt(4) > 0;
    asker.ask(
        undo ? Kind.TERMINATE_AND_UNDO : Kind.TERMINATE,
        id,
        "",
        client -> {
          client.terminate(id, "enough", undo);
          return "";
        },
        patient);
  }

  // ---- forks

  private void fork(String id) {
    callers.pause(8_000);
    var name = id + "-fork";
    int luck = scheduler.random().nextInt(1_000);
    var told = asker.ask(Kind.FORK, id, name, client -> fork(client, id, name, luck));
    var number = told.answer() == Answer.IN_USE ? madeLater(id, name) : told.value();
    if (number.isEmpty()) return;
    forks.add(name);
    auditor.count("forks made");
    callers.await(name, Program.receives(Long.parseLong(number)));
  }

  /** It was asked again what was not answered: the first time it may take effect yet. */
  private String madeLater(String id, String name) {
    do callers.pause(3_000);
    while (!fleet.isCalm());
    process.sleep(LATEST);
    var number =
        asker.ask(
            Kind.FORK, id, name, client -> exists(client, name) ? numberOf(client, name) : "");
    return number.value();
  }

  /** At any event; an answer that was lost is no reason to fork it again. */
  private String fork(Client client, String id, String name, int luck) {
    var history = client.history(id);
    int last = 1 + luck * history.size() / 1_000;
    try {
      client.fork(Fork.of(id, last).as(name));
    } catch (RepriseException e) {
      if (e.code() != ErrorCode.R105 && !exists(client, name)) throw e;
    }
    return numberOf(client, name);
  }

  private static String numberOf(Client client, String name) {
    return Objects.requireNonNull(client.history(name).getFirst().value());
  }

  private static boolean exists(Client client, String name) {
    try {
      return client.describe(name).workflowId().equals(name);
    } catch (RepriseException e) {
      if (e.code() == ErrorCode.R113) return false;
      throw e;
    }
  }

  // ---- the operator

  /** Looks after held runs, as long as there is something to look after. */
  void mend() {
    process.begin(
        "operator",
        () -> {
          while (true) {
            process.sleep(ROUND);
            var member = fleet.any();
            if (member != null) asker.askOnce(member, Kind.RESUME, "held runs", this::mended);
          }
        });
  }

  private String mended(Client client) {
    int resumed = client.resumeHeld("workflow in ('Play', 'Away')");
    for (int i = 0; i < resumed; i++) auditor.count("held runs resumed");
    return "";
  }
}
