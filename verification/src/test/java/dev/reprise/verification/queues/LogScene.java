package dev.reprise.verification.queues;

import dev.reprise.ActivityOptions;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.verification.chaos.Processes;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine to which everything happens that it writes about, with ids, names and messages that
 * would like to write lines of their own. Its log goes to the standard error.
 *
 * <p>Argument: the URL of the database, or {@code memory}.
 */
final class LogScene {
  static final String FORGED = "\nFORGED \u001b[31m\u202E";

  private static final String QUEUE = "q" + FORGED;

  private final FaultyStore store;
  private final Engine engine;
  private int ids;

  /** What the worker does. */
  public interface Lab {
    String work(String what);
  }

  public static void main(String[] args) throws InterruptedException {
    Processes.endWithParent();
    var scene = new LogScene(open(args[0]));
    scene.block();
    scene.fail();
    scene.refuse();
    scene.loseTasks();
    scene.meetError();
    Thread.getAllStackTraces().keySet().forEach(thread -> say(thread.getName()));
    System.out.println("END");
    new CountDownLatch(1).await(); // until the test has read all of it
  }

  private static Store open(String url) {
    if (url.equals("memory")) return new MemoryStore();
    return Reprise.open(url, new StoreProvider.Options(true, false));
  }

  private static void say(String threadName) {
    System.out.println("thread " + threadName);
  }

  private LogScene(Store below) {
    this.store = new FaultyStore(below);
    this.engine =
        Reprise.on(store)
            .lease(Duration.ofSeconds(3))
            .shutdownGrace(Duration.ofSeconds(1))
            .activities((Lab) LogScene::work)
            .worker(QUEUE, 2)
            .workflow(
                "block",
                String.class,
                String.class,
                (_, in) -> {
                  var mistake = new AssertionError(in, new IllegalStateException("cause" + in));
                  mistake.addSuppressed(new IllegalStateException("suppressed" + in));
                  throw mistake;
                })
            .workflow(
                "queued",
                String.class,
                String.class,
                (ctx, in) -> {
                  say(Thread.currentThread().getName());
                  var options = ActivityOptions.onQueue(QUEUE).visibility(Duration.ofSeconds(1));
                  return ctx.activities(Lab.class, options).work(in);
                })
            .start();
  }

  private static String work(String what) {
    say(Thread.currentThread().getName());
    return what;
  }

  private String start(String workflow) {
    var id = "w" + ids++ + FORGED;
    engine.start(workflow, id, FORGED);
    return id;
  }

  private void block() {
    Hall.awaitStatus(engine, start("block"), Status.BLOCKED);
  }

  /** The database is away, or says what nobody expects. */
  private void fail() {
    for (var method : new String[] {"take", "report", "heartbeat", "nextOverdue", "serve"}) {
      store.fail(method, 1, () -> new StoreUnavailable("no route" + FORGED, cause()));
    }
    for (var method : new String[] {"claim", "nextWake", "overdue", "nextReady"}) {
      store.fail(method, 1, () -> new IllegalStateException("no sense" + FORGED, cause()));
    }
    Hall.awaitStatus(engine, start("queued"), Status.COMPLETED);
    for (var method : new String[] {"take", "report", "claim", "overdue"}) {
      Hall.until(method, () -> store.hasFailed(method));
    }
  }

  private static RuntimeException cause() {
    return new IllegalStateException("cause" + FORGED);
  }

  /** What the database refuses, it names. */
  private void refuse() {
    store.fail("report", 1, () -> new TransitionRefused("key (id)=(" + FORGED + ")", cause()));
    Hall.awaitStatus(engine, start("queued"), Status.FAILED);
    store.fail("commit", 1, () -> new TransitionRefused("key (id)=(" + FORGED + ")", cause()));
    try {
      start("queued");
    } catch (RepriseException refused) {
      System.out.println(refused.getMessage());
    }
  }

  /** Handouts that no worker can begin, and tasks of which nothing is known when they are due. */
  private void loseTasks() {
    var other = new Event.ActivityCancelRequested("other");
    var handedOut = new AtomicInteger();
    var looked = new AtomicInteger();
    store.changeHandouts(
        task -> {
          boolean isFirst = handedOut.incrementAndGet() == 1;
          var wrong = EventRow.of(new Recorded(2, task.event().at(), null, other));
          return with(task, isFirst ? wrong : damaged(task.event()));
        });
    start("queued");
    Hall.until("nobody could begin it twice", () -> handedOut.get() > 1);
    store.change(
        event -> {
          if (!isOfTask(event)) return event;
          looked.incrementAndGet();
          return damaged(event);
        });
    Hall.until("it is overdue", () -> looked.get() > 0);
    store.change(event -> event);
    store.changeHandouts(task -> task);
  }

  private static boolean isOfTask(EventRow event) {
    return event.type() == EventType.ACTIVITY_SCHEDULED.code();
  }

  private static EventRow damaged(EventRow event) {
    return new EventRow(
        event.index(),
        event.at(),
        event.type(),
        event.site(),
        event.attributes(),
        event.value(),
        true);
  }

  private static Handout with(Handout task, EventRow event) {
    return new Handout(
        task.ref(),
        task.queue(),
        task.attempt(),
        task.hand(),
        task.leaseUntil(),
        task.deadline(),
        event,
        task.workflowId(),
        task.runId(),
        task.heartbeat());
  }

  private void meetError() {
    store.fail("claim", 1, () -> new OutOfMemoryError("heap" + FORGED));
    Hall.until("it has met the error", () -> store.hasFailed("claim"));
    Hall.until("it is up", () -> engine.health().isUp());
  }
}
