package dev.reprise.examples.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.replay.Verdict;
import dev.reprise.testkit.ReplayCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The runs of the last release are followed by the code of this one. */
class ReplayTest {
  private static final Path HISTORIES = Path.of("src/test/resources/histories");

  private final Billing billing = new NoBilling();

  // tag::one[]
  @Test
  void the_new_code_follows_a_run_of_the_last_release() {
    ReplayCheck.replay(HISTORIES.resolve("bob.json"), new Subscription(billing));
  }

  // end::one[]

  // tag::all[]
  static List<Path> histories() throws IOException {
    try (var files = Files.list(HISTORIES)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("histories")
  void the_new_code_follows_every_history_that_is_kept(Path history) {
    new ReplayCheck().workflow(new Subscription(billing)).replay(history);
  }

  // end::all[]

  @Test
  void both_an_open_and_a_closed_run_are_kept() throws IOException {
    assertThat(histories())
        .extracting(Path::getFileName)
        .map(Path::toString)
        .containsExactly("ada.json", "bob.json");
  }

  @Test
  void a_change_without_a_guard_is_found() {
    var careless =
        new ReplayCheck()
            .workflow(
                "Subscription",
                String.class,
                String.class,
                (ctx, customer) -> {
                  ctx.run(billing::announce, customer);
                  ctx.sleep(Duration.ofDays(30));
                  return "charged " + customer;
                });

    assertThatThrownBy(() -> careless.replay(HISTORIES.resolve("bob.json")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("R101", "Subscription.java:20", "Billing.announce");
  }

  @Test
  void what_an_open_run_waits_for_can_be_asked() {
    // tag::check[]
    var verdict = ReplayCheck.check(HISTORIES.resolve("bob.json"), new Subscription(billing));

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Follows.class,
            follows -> assertThat(follows.waitingFor().getFirst()).contains("a sleep (sleep:1)"));
    // end::check[]
  }

  @Test
  void a_history_is_downloaded_by_a_test(@TempDir Path folder) throws IOException {
    try (var engine =
        Reprise.inMemory()
            .workflow("Echo", String.class, String.class, (_, text) -> text)
            .start()) {
      // tag::download[]
      var run = engine.start("Echo", "echo-1", "hello");
      run.result();
      Files.writeString(folder.resolve("echo-1.json"), ReplayCheck.download(run));
      // end::download[]
    }

    new ReplayCheck()
        .workflow("Echo", String.class, String.class, (_, text) -> text)
        .replay(folder.resolve("echo-1.json"));
  }

  /** Activities are not called by a replay. */
  private static final class NoBilling implements Billing {
    @Override
    public void announce(String customer) {
      throw new AssertionError("not here");
    }

    @Override
    public void charge(String customer) {
      throw new AssertionError("not here");
    }
  }
}
