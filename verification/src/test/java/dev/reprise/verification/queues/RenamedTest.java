package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityOptions;
import dev.reprise.Client;
import dev.reprise.Context;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Name;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Was;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Activities that get other names while they are on a queue, or after they were. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RenamedTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final ActivityOptions Q = ActivityOptions.onQueue("post");

  /** How the workflow asks for the activity. */
  enum How {
    REFERENCE,
    SCHEDULE,
    PROXY
  }

  /** The last release. */
  public interface Mailer {
    String send(String to) throws Exception;
  }

  /** This release. */
  public interface Post {
    @Was("Mailer.send")
    String deliver(String to) throws Exception;
  }

  @Name("Letter")
  record Before(Mailer mailer, How how) implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String to) throws Exception {
      var sent =
          switch (how) {
            case REFERENCE -> ctx.with(Q).run(mailer::send, to);
            case SCHEDULE -> ctx.with(Q).schedule(mailer::send, to).await();
            case PROXY -> ctx.activities(Mailer.class, Q).send(to);
          };
      return sent + " then " + ctx.receive(GO);
    }
  }

  @Name("Letter")
  record After(Post post, How how) implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String to) throws Exception {
      var sent =
          switch (how) {
            case REFERENCE -> ctx.with(Q).run(post::deliver, to);
            case SCHEDULE -> ctx.with(Q).schedule(post::deliver, to).await();
            case PROXY -> ctx.activities(Post.class, Q).deliver(to);
          };
      return sent + " then " + ctx.receive(GO);
    }
  }

  private final Database database;
  @TempDir private Path folder;

  RenamedTest(Database database) {
    this.database = database;
  }

  private static void await(BooleanSupplier what) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!what.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static boolean has(Client client, String type) {
    return types(client).contains(type);
  }

  private static String result(Client client) {
    Handle<String> letter = client.handle("l", String.class);
    return letter.result();
  }

  private static List<String> types(Client client) {
    return client.history("l").stream().map(HistoryEvent::type).toList();
  }

  /** Opens an engine, lets it do something, and closes it. */
  private static String run(
      Supplier<Store> stores,
      Workflow<?, ?> workflow,
      Object activities,
      boolean works,
      Function<Engine, String> what) {
    try (var store = stores.get()) {
      var reprise = Reprise.on(store).activities(activities).workflow(workflow);
      if (works) reprise.worker("post", 1);
      try (var engine = reprise.start()) {
        return what.apply(engine);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_that_no_worker_has_taken(How how) {
    assertThat(renamed(how, false)).isEqualTo("delivered to ada then go");
  }

  @ParameterizedTest
  @EnumSource
  void one_that_has_ended(How how) {
    assertThat(renamed(how, true)).isEqualTo("sent to ada then go");
  }

  private String renamed(How how, boolean ends) {
    var stores = database.in(folder);
    Mailer mailer = to -> "sent to " + to;
    Post post = to -> "delivered to " + to;
    run(
        stores,
        new Before(mailer, how),
        mailer,
        ends,
        engine -> {
          engine.start("Letter", "l", "ada");
          await(() -> has(engine, ends ? "ActivityCompleted" : "ActivityScheduled"));
          return "";
        });
    return run(
        stores,
        new After(post, how),
        post,
        true,
        engine -> {
          engine.signal("l", GO, "go");
          var result = result(engine);
          assertThat(types(engine))
              .containsSubsequence("ActivityScheduled", "ActivityCompleted", "WorkflowCompleted");
          assertThat(engine.history("l"))
              .filteredOn(event -> event.type().startsWith("Activity"))
              .extracting(HistoryEvent::subject)
              .as("what is recorded of a call keeps the id of the call")
              .containsOnly("Mailer.send:1");
          return result;
        });
  }

  @Test
  void an_attempt_goes_on_from_the_heartbeat_of_the_old_name() {
    var stores = database.in(folder);
    Mailer mailer =
        _ -> {
          ActivityContext.current().heartbeat("page 3");
          throw new IllegalStateException("out of paper");
        };
    run(
        stores,
        new Before(mailer, How.SCHEDULE),
        mailer,
        true,
        engine -> {
          engine.start("Letter", "l", "ada");
          await(() -> has(engine, "ActivityRetryScheduled"));
          return "";
        });

    Post post =
        to -> to + " from " + ActivityContext.current().lastHeartbeat(String.class).orElse("?");
    var result =
        run(
            stores,
            new After(post, How.SCHEDULE),
            post,
            true,
            engine -> {
              engine.signal("l", GO, "go");
              return result(engine);
            });

    assertThat(result).isEqualTo("ada from page 3 then go");
  }

  @Test
  void one_that_is_given_up_under_its_new_name_is_not_made() {
    var stores = database.in(folder);
    var made = new AtomicInteger();
    Mailer mailer = to -> to + made.incrementAndGet();
    Post post = to -> to + made.incrementAndGet();
    run(
        stores,
        new Before(mailer, How.SCHEDULE),
        mailer,
        false,
        engine -> {
          engine.start("Letter", "l", "ada");
          await(() -> has(engine, "ActivityScheduled"));
          return "";
        });
    run(
        stores,
        new After(post, How.SCHEDULE),
        post,
        false,
        engine -> {
          engine.cancel("l", "enough");
          await(() -> engine.describe("l").status() == Status.CANCELLED);
          assertThat(engine.history("l"))
              .filteredOn(event -> event.type().equals("ActivityCancelRequested"))
              .extracting(HistoryEvent::subject)
              .containsExactly("Mailer.send:1");
          return "";
        });
    run(
        stores,
        new After(post, How.SCHEDULE),
        post,
        true,
        engine -> {
          await(() -> engine.queue("post").ready() == 0);
          return "";
        });

    assertThat(made).hasValue(0);
  }
}
