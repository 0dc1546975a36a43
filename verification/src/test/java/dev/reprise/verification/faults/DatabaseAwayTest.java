package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Client;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Ledger;
import dev.reprise.verification.chaos.Load;
import dev.reprise.verification.chaos.Scene;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without a database callers are told so in time, and when it is back work goes on by itself. */
class DatabaseAwayTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration CALL = Duration.ofSeconds(2);
  private static final Duration SOONEST = Duration.ofMillis(1_500);
  private static final int SLACK = 3; // a loaded machine is not a slow engine
  private static final int WORKFLOWS = 100;
  private static final int CALLERS = 3; // for each kind of call

  @TempDir Path folder;
  private final AtomicInteger ids = new AtomicInteger();

  /** What one caller was told, and after how long. */
  private record Answer(String call, String code, Duration time) {}

  @Test
  void connections_are_refused_for_a_minute() throws Exception {
    try (var scene = new Scene(folder)) {
      suffer(scene, scene.proxy()::refuse, Duration.ofSeconds(60));
    }
  }

  @Test
  void nothing_is_answered_for_twenty_seconds() throws Exception {
    try (var scene = new Scene(folder)) {
      suffer(scene, scene.proxy()::stall, Duration.ofSeconds(20));
    }
  }

  private void suffer(Scene scene, Consumer<Boolean> away, Duration time)
      throws IOException, InterruptedException {
    var other = scene.loadEngine(scene.proxiedUrl(), LEASE);
    try (var ledger = new Ledger(scene.ledger());
        var engine = engine(scene, ledger);
        var client = settings(scene).client()) {
      scene.begin(engine, WORKFLOWS);
      away.accept(true);
      var open = scene.openRuns();
      assertThat(open).as("work in progress").isGreaterThan(WORKFLOWS / 10);

      var answers = callFor(time, scene, engine, client);
      away.accept(false);
      var back = System.nanoTime();
      var took = Scene.since(back, "work goes on by itself", () -> openLoads(scene) == 0);

      System.out.printf(
          "database away for %d s with %d runs open: all ended %d ms after it was back%n",
          time.toSeconds(), open, took.toMillis());
      report(answers);
      assertThat(other.isAlive()).isTrue();
      checkCalls(engine, client);
      scene.judge(client, WORKFLOWS);
    }
  }

  private static Engine engine(Scene scene, Ledger ledger) {
    return settings(scene).workflow(new Load(ledger)).workflow(new ChildEngine.Brief()).start();
  }

  private static Reprise settings(Scene scene) {
    return Reprise.open(scene.proxiedUrl()).lease(LEASE).callTimeout(CALL);
  }

  private static long openLoads(Scene scene) {
    return scene.number("SELECT count(*) FROM runs WHERE status = 'RUNNING' AND workflow = 'Load'");
  }

  // ---- while it is away

  /** Makes all kinds of calls again and again. */
  private Collection<Answer> callFor(Duration time, Scene scene, Client... clients)
      throws InterruptedException {
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    var end = System.nanoTime() + time.toNanos();
    var callers = new ArrayList<Thread>();
    for (var client : clients) {
      for (var call : calls(scene, client).entrySet()) {
        Runnable caller =
            () -> {
              while (System.nanoTime() < end) answers.add(answer(call.getKey(), call.getValue()));
            };
        for (int i = 0; i < CALLERS; i++) callers.add(Thread.startVirtualThread(caller));
      }
    }
    for (var caller : callers) caller.join();
    return answers;
  }

  private Map<String, Runnable> calls(Scene scene, Client client) {
    var calls = new LinkedHashMap<String, Runnable>();
    calls.put("start", () -> client.start(ChildEngine.Brief.class, nextId(), 1));
    calls.put("signal", () -> scene.nudge(client, 1));
    calls.put("describe", () -> client.describe(scene.id(2)));
    calls.put("history", () -> client.history(scene.id(3)));
    calls.put("list", () -> client.list(ListQuery.all()));
    calls.put("nodes", client::nodes);
    return calls;
  }

  private String nextId() {
    return "brief-" + ids.getAndIncrement();
  }

  private static Answer answer(String name, Runnable call) {
    var from = System.nanoTime();
    var code = "no error";
    try {
      call.run();
    } catch (RepriseException e) {
      code = e.isRetryable() ? e.code().name() : e.toString();
    } catch (RuntimeException e) {
      code = e.toString();
    }
    return new Answer(name, code, Duration.ofNanos(System.nanoTime() - from));
  }

  private static void report(Collection<Answer> answers) {
    for (var call : answers.stream().map(Answer::call).distinct().sorted().toList()) {
      var times = answers.stream().filter(answer -> answer.call().equals(call)).toList();
      System.out.printf(
          "  %-8s %3d times %s after %d to %d ms%n",
          call,
          times.size(),
          times.stream().map(Answer::code).distinct().sorted().toList(),
          times.stream().mapToLong(answer -> answer.time().toMillis()).min().orElseThrow(),
          times.stream().mapToLong(answer -> answer.time().toMillis()).max().orElseThrow());
    }
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.code()).matches("R1\\d\\d");
              assertThat(answer.time()).isBetween(SOONEST, CALL.multipliedBy(SLACK));
            });
  }

  // ---- when it is back

  /** New calls work, and so do those that were not answered. */
  private void checkCalls(Client... clients) {
    for (var client : clients) {
      assertThat(client.start(ChildEngine.Brief.class, nextId(), 1).result()).isEqualTo(4);
    }
    for (int number = 0; number < ids.get(); number++) {
      var handle = clients[0].start(ChildEngine.Brief.class, "brief-" + number, 1);
      assertThat(handle.result()).isEqualTo(4);
    }
  }
}
