package dev.reprise.examples.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.reprise.Context;
import dev.reprise.Deterministic;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.guard.DeterminismGuard;
import dev.reprise.guard.Finding;
import dev.reprise.guard.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StocktakeTest {

  // tag::bad[]
  static final class Lottery implements Workflow<List<String>, String> {
    @Override
    public String run(Context ctx, List<String> players) {
      var tickets = new HashMap<String, UUID>();
      for (var player : players) tickets.put(player, UUID.randomUUID());
      for (var ticket : tickets.values()) ctx.run("print", () -> Printer.print(ticket));
      return "drawn at " + Instant.now();
    }
  }

  // end::bad[]

  static final class Printer {
    static void print(UUID ticket) {
      System.getLogger("printer").log(System.Logger.Level.DEBUG, ticket);
    }
  }

  @Test
  void all_pieces_are_counted() {
    var workflow = new Stocktake(String::length);
    try (var engine = Reprise.inMemory().workflow(workflow).start()) {
      var stocktake = engine.start(Stocktake.class, "2030", List.of("a", "bb", "ccc"));

      assertThat(stocktake.result()).isEqualTo(6);
    }
  }

  // tag::check[]
  @Test
  void it_does_the_same_on_every_replay() {
    var findings = DeterminismGuard.check(Stocktake.class);

    assertThat(findings.all()).as(findings.describe()).isEmpty();
  }

  // end::check[]

  // tag::tariff[]
  /** What things cost. */
  @Deterministic(because = "a table of constants")
  interface Tariff {
    int price(String item);
  }

  // end::tariff[]

  record Quote(Tariff tariff) implements Workflow<String, Integer> {
    @Override
    public Integer run(Context ctx, String item) {
      return tariff.price(item);
    }
  }

  /** Counts again on every replay. */
  record Careless(Stocktake.Counting counting) implements Workflow<String, Integer> {
    @Override
    public Integer run(Context ctx, String shelf) {
      return counting.count(shelf);
    }
  }

  @Test
  void an_object_from_elsewhere_is_an_activity_unless_it_only_computes() {
    assertThat(DeterminismGuard.check(Quote.class).all()).isEmpty();
    assertThat(DeterminismGuard.check(Careless.class).all())
        .extracting(Finding::kind, Finding::instead)
        .containsExactly(tuple(Kind.ACTIVITY, "ctx.run(counting::count, …)"));
  }

  @Test
  void what_does_not_is_found() {
    assertThat(DeterminismGuard.check(Lottery.class).all())
        .extracting(Finding::what)
        .containsExactly("UUID.randomUUID()", "iteration over HashMap", "Instant.now()");
  }
}
