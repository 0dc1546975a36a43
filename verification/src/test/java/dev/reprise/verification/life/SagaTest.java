package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was done is undone in reverse order, whatever ends the workflow and whatever crashes. */
@RepriseTest
class SagaTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  /** Where things are reserved and freed. */
  public static class Stock {
    final List<String> freed = new CopyOnWriteArrayList<>();
    volatile String broken = "";

    public String reserve(String item) {
      return "r-" + item;
    }

    public void free(String reservation, int count) {
      if (broken.equals(reservation)) throw new TerminalFailure("cannot free " + reservation);
      freed.add(reservation + "x" + count);
    }
  }

  /** Reserves two things and waits. */
  public static final class Trip implements Workflow<String, String> {
    private final Stock stock;

    public Trip(Stock stock) {
      this.stock = stock;
    }

    @Override
    public String run(Context ctx, String how) {
      for (var item : List.of("flight", "hotel", "car")) {
        var reservation = ctx.run(stock::reserve, item);
        ctx.compensate(stock::free, reservation, 1);
      }
      ctx.compensate("mail", "sorry");
      if (how.equals("fail")) throw new IllegalStateException("no room");
      return ctx.receive(GO);
    }

    @Override
    public Optional<Duration> timeout() {
      return Optional.of(Duration.ofDays(3));
    }
  }

  private final Stock stock = new Stock();

  @BeforeEach
  void engine(TestEngine engine) {
    engine
        .workflow(new Trip(stock))
        .activities(stock)
        .activity("mail", String.class, text -> stock.freed.add("mail " + text));
  }

  private static final String[] ALL = {"mail sorry", "r-carx1", "r-hotelx1", "r-flightx1"};

  @Test
  void a_failure_undoes_the_last_first(TestEngine engine) {
    var run = engine.start(Trip.class, "t", "fail");

    assertThatThrownBy(run::result)
        .isInstanceOf(WorkflowFailed.class)
        .hasMessageContaining("no room");
    assertThat(stock.freed).containsExactly(ALL);
    assertThat(run.status()).isEqualTo(Status.FAILED);
    assertThat(run.history())
        .extracting(HistoryEvent::type)
        .endsWith(
            "CompensationsStarted",
            "CompensationCompleted",
            "CompensationCompleted",
            "CompensationCompleted",
            "CompensationCompleted",
            "WorkflowFailed");
  }

  @Test
  void a_cancel_undoes(TestEngine engine) {
    var run = engine.start(Trip.class, "t", "wait");
    run.cancel("changed my mind");

    assertThatThrownBy(run::result).isInstanceOf(WorkflowCancelled.class);
    assertThat(stock.freed).containsExactly(ALL);
    assertThat(run.status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void the_end_of_its_time_undoes(TestEngine engine) {
    var run = engine.start(Trip.class, "t", "wait");

    assertThatThrownBy(run::result).isInstanceOf(WorkflowTimedOut.class);
    assertThat(stock.freed).containsExactly(ALL);
    assertThat(run.status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void terminating_undoes_if_that_is_wanted(TestEngine engine) {
    engine.start(Trip.class, "a", "wait").terminate("fire", false);
    var undone = engine.start(Trip.class, "b", "wait");
    engine.awaitQuiet();
    undone.terminate("fire", true);

    assertThatThrownBy(undone::result).isInstanceOf(WorkflowTerminated.class);
    assertThat(stock.freed).containsExactly(ALL);
    assertThat(engine.describe("a").status()).isEqualTo(Status.TERMINATED);
    assertThat(engine.describe("b").status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void what_cannot_be_undone_is_shown_and_can_be_resumed(TestEngine engine) {
    stock.broken = "r-hotel";
    var run = engine.start(Trip.class, "t", "fail");

    assertThatThrownBy(run::result)
        .isInstanceOf(WorkflowBlocked.class)
        .hasMessageContaining("R132")
        .hasMessageContaining("undo Stock.free:2");
    assertThat(run.status()).isEqualTo(Status.COMPENSATION_FAILED);
    assertThat(stock.freed).containsExactly("mail sorry", "r-carx1", "r-flightx1");

    stock.broken = "";
    run.resume();

    assertThatThrownBy(run::result).isInstanceOf(WorkflowFailed.class);
    assertThat(stock.freed).containsExactly("mail sorry", "r-carx1", "r-flightx1", "r-hotelx1");
  }

  @Test
  void success_undoes_nothing(TestEngine engine) {
    var run = engine.start(Trip.class, "t", "wait");
    run.signal(GO, "done");

    assertThat(run.result()).isEqualTo("done");
    assertThat(stock.freed).isEmpty();
  }

  /** Remembers what nobody can undo. */
  public static final class Careless implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      ctx.with(ActivityOptions.defaults().retry(RetryPolicy.none())).compensate("nobody", in);
      return in;
    }
  }

  @Test
  void what_is_not_registered_is_refused_when_it_is_remembered(TestEngine engine) {
    engine.workflow(new Careless());
    var run = engine.start(Careless.class, "c", "x");

    assertThatThrownBy(run::result)
        .isInstanceOf(WorkflowBlocked.class)
        .hasMessageContaining("R103");
    assertThat(run.status()).isEqualTo(Status.BLOCKED);
  }
}
