package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.HistoryEvent;
import dev.reprise.Signal;
import dev.reprise.Update;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How events are shown to people. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ShownHistoryTest {
  private static final Signal<String> END = Signal.of("end", String.class);
  private static final Update<String, String> RENAME =
      Update.of("rename", String.class, String.class);

  @RegisterExtension final World world;

  ShownHistoryTest(StoreKind kind) {
    this.world = new World(kind);
  }

  /** With two arguments. */
  interface Labels {
    String print(String id, int copies);

    void tear(String id, int copies);
  }

  static final class Printer implements Labels {
    @Override
    public String print(String id, int copies) {
      return copies + " of " + id;
    }

    @Override
    public void tear(String id, int copies) {}
  }

  private HistoryEvent event(String type) {
    return world.engine().history("w").stream()
        .filter(each -> each.type().equals(type))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void several_arguments_stand_apart() {
    var labels = new Printer();
    world.open(
        r ->
            r.activities(labels)
                .worker("q", 1)
                .workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, in) -> {
                      ctx.compensate(labels::tear, in, 2);
                      return ctx.with(ActivityOptions.onQueue("q")).run(labels::print, in, 2);
                    }));

    result(world.engine().start("code", "w", "o-1, \"ü\""));

    var id = "\"o-1, \\\"ü\\\"\"";
    assertThat(event("ActivityScheduled").arguments()).containsExactly(id, "2");
    assertThat(event("CompensationRegistered").arguments()).containsExactly(id, "2");
  }

  @Test
  void the_answer_to_an_update_is_about_the_update() {
    world.open(
        r ->
            r.workflow(
                "code",
                String.class,
                String.class,
                (ctx, _) -> {
                  ctx.onUpdate(RENAME, to -> "now " + to);
                  return ctx.receive(END);
                }));
    world.engine().start("code", "w", "");
    World.awaitWaiting(world.engine(), "w", "end");

    world.engine().update("w", RENAME, "x");

    assertThat(event("UpdateReceived").subject()).isEqualTo("rename");
    assertThat(event("UpdateCompleted").subject()).isEqualTo("rename");
  }
}
