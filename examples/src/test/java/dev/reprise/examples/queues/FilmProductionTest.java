package dev.reprise.examples.queues;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.ActivityFailed;
import dev.reprise.HistoryEvent;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class FilmProductionTest {
  private static final Film FILM =
      new Film("Alps", "ada", List.of(new Scene("dawn", 3), new Scene("storm", 2)));

  private final List<String> drawn = new CopyOnWriteArrayList<>();
  private final AtomicInteger busy = new AtomicInteger();
  private volatile Runnable duringFrame = () -> {};

  private final Renderer.Card card =
      new Renderer.Card() {
        @Override
        public void draw(String what, int frame) {
          duringFrame.run();
          drawn.add(what + " " + frame);
        }

        @Override
        public int busySeconds() {
          return busy.getAndSet(0);
        }
      };

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(new FilmProduction()).activities(new Renderer(card));
  }

  // tag::test[]
  @Test
  void a_film_is_rendered_by_the_workers_of_the_queue(TestEngine engine) {
    engine.worker("gpu", 4);

    var film = engine.start(FilmProduction.class, "alps", FILM);

    assertThat(film).completedWith("dawn.mov+storm.mov");
    engine.awaitQuiet(); // the preview, for which the workflow has not waited
    assertThat(drawn).contains("storm 1", "Alps 0");
  }

  // end::test[]

  // tag::unserved[]
  @Test
  void what_nobody_serves_waits_and_says_so(TestEngine engine) {
    engine.start(FilmProduction.class, "alps", FILM);
    engine.awaitQuiet();

    assertThat(engine.queue("gpu").ready()).isEqualTo(2);
    assertThat(engine.queue("gpu").isServed()).isFalse();
    assertThat(engine.describe("alps").waitingFor())
        .anySatisfy(waiting -> assertThat(waiting.note()).contains("nobody serves"));
  }

  // end::unserved[]

  @Test
  void the_activity_says_when_it_is_worth_another_attempt(TestEngine engine) {
    engine.worker("gpu", 4);
    busy.set(90);
    var begin = engine.now();

    assertThat(engine.start(FilmProduction.class, "alps", FILM).result()).contains("dawn");

    assertThat(Duration.between(begin, engine.now())).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void nothing_to_cut_is_not_tried_again(TestEngine engine) {
    engine.worker("gpu", 4);
    var film = engine.start(FilmProduction.class, "void", new Film("Void", "ada", List.of()));

    assertThat(film).failedWith("nothing to cut");
    assertThat(engine.history("void"))
        .extracting(HistoryEvent::type)
        .doesNotContain("ActivityRetryScheduled");
  }

  // tag::crash[]
  @Test
  void a_scene_goes_on_where_the_worker_died(TestEngine engine) {
    engine.worker("gpu", 1);
    var crashed = new AtomicBoolean();
    duringFrame =
        () -> {
          if (drawn.size() < 2 || crashed.getAndSet(true)) return;
          engine.crash();
          throw new IllegalStateException("this process is dead");
        };

    var film = new Film("Dawn", "ada", List.of(new Scene("dawn", 100)));
    assertThat(engine.start(FilmProduction.class, "dawn", film)).completedWith("dawn.mov");

    assertThat(drawn).containsOnlyOnce("dawn 0").contains("dawn 99");
  }

  // end::crash[]

  @Test
  void a_scene_that_kills_every_worker_fails_after_its_attempts(TestEngine engine) {
    engine.worker("gpu", 1);
    duringFrame =
        () -> {
          engine.crash();
          throw new IllegalStateException("this process is dead");
        };

    assertThat(engine.start(FilmProduction.class, "alps", FILM)).failedWith(ActivityFailed.class);

    assertThat(engine.history("alps"))
        .filteredOn(event -> event.type().equals("ActivityFailed"))
        .extracting(HistoryEvent::attributes)
        .anySatisfy(failure -> assertThat(failure).contains("AttemptLost", "attempt 5"));
  }

  @CrashEverywhere
  void a_film_is_made_wherever_the_engine_dies(TestEngine engine) {
    engine.worker("gpu", 4);

    assertThat(engine.start(FilmProduction.class, "alps", FILM))
        .completedWith("dawn.mov+storm.mov");
  }
}
