package dev.reprise.examples.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.guard.DeterminismGuard;
import dev.reprise.guard.Finding;
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

  @Test
  void what_does_not_is_found() {
    assertThat(DeterminismGuard.check(Lottery.class).all())
        .extracting(Finding::what)
        .containsExactly("UUID.randomUUID()", "iteration over HashMap", "Instant.now()");
  }
}
