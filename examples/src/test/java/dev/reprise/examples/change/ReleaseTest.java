package dev.reprise.examples.change;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Name;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of the last release, when workflow and activity had other names. */
@RepriseTest
class ReleaseTest {
  private static final List<String> RUNS = List.of("p-1", "p-2", "p-3");

  private final Parcels parcels = address -> "parcel to " + address;

  /** The code of the last release. */
  public static final class Courier implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String address) {

      var number = ctx.activities(OldParcels.class).dispatch(address);
      return number + " received by " + ctx.receive(ParcelService.RECEIPT);
    }
  }

  /** As it was called then. */
  @Name("Parcels")
  public interface OldParcels {
    String dispatch(String address);
  }

  @BeforeEach
  void release(TestEngine engine) {
    OldParcels old = address -> "parcel to " + address;
    engine.workflow(new Courier()).activities(old);
    for (var id : RUNS) engine.start(Courier.class, id, "Rome");
    engine.redeploy().workflow(new ParcelService(parcels));
  }

  @Test
  void a_run_that_other_code_began_is_held_as_soon_as_it_has_to_do_something(TestEngine engine) {
    assertThat(engine.describe("p-1").status()).isEqualTo(Status.RUNNING);

    engine.signal("p-1", ParcelService.RECEIPT, "Ada");

    assertThat(engine.handle(ParcelService.class, "p-1")).isBlocked();
    assertThat(Release.heldByChange(engine))
        .extracting(RunDescription::workflowId)
        .containsExactly("p-1");
  }

  @Test
  void held_runs_go_on_when_somebody_lets_them(TestEngine engine) {
    for (var id : RUNS) engine.signal(id, ParcelService.RECEIPT, "Ada");
    engine.awaitQuiet();

    assertThat(Release.letGo(engine, "p-1", "Courier")).isEqualTo(2);

    for (var id : RUNS) {
      assertThat(engine.handle(ParcelService.class, id))
          .completedWith("parcel to Rome received by Ada");
    }
  }
}
