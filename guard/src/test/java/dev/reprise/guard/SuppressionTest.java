package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuppressionTest {
  @TempDir private Path folder;

  private List<String> found(String source) {
    return Samples.compile(folder, Map.of("Sample", source)).scan().all().stream()
        .map(Finding::describe)
        .toList();
  }

  @Test
  void a_method_with_a_reason_is_not_looked_into_and_the_others_are() {
    var found =
        found(
            """
            public class Sample implements Workflow<String, Object> {
              public Object run(Context ctx, String input) { measured(); return Instant.now(); }
              @Deterministic(because = "only measures")
              private void measured() { deeper(); Runnable r = () -> Instant.now(); }
              private void deeper() { Instant.now(); }
            }
            """);

    assertThat(found).singleElement().asString().startsWith("Sample.java:2: Instant.now()");
  }

  @Test
  void what_is_also_called_from_elsewhere_is_still_found() {
    var found =
        found(
            """
            public class Sample implements Workflow<String, Object> {
              public Object run(Context ctx, String input) { measured(); deeper(); return null; }
              @Deterministic(because = "only measures") private void measured() { deeper(); }
              private void deeper() { Instant.now(); }
            }
            """);

    assertThat(found).singleElement().asString().startsWith("Sample.java:4: Instant.now()");
  }

  @Test
  void a_class_with_a_reason_is_not_looked_into() {
    var found =
        found(
            """
            public class Sample implements Workflow<String, Object> {
              public Object run(Context ctx, String input) { return new Meter().read(); }
              @Deterministic(because = "only measures")
              static class Meter { long read() { return Optional.of(1).map(x -> System.nanoTime()).get(); } }
            }
            """);

    assertThat(found).isEmpty();
  }

  @Test
  void the_reason_of_a_method_holds_for_the_workflows_written_in_it() {
    var found =
        found(
            """
            public class Sample {
              @Deterministic(because = "meant to be found by a test")
              Workflow<String, Object> bad() { return (ctx, input) -> Instant.now(); }
              Workflow<String, Object> worse() { return (ctx, input) -> Instant.now(); }
            }
            """);

    assertThat(found).singleElement().asString().startsWith("Sample.java:4:");
  }

  @Test
  void a_blank_reason_is_a_finding_and_suppresses_nothing() {
    var found =
        found(
            """
            public class Sample implements Workflow<String, Object> {
              @Deterministic(because = "  ")
              public Object run(Context ctx, String input) { return Instant.now(); }
            }
            """);

    assertThat(found)
        .containsExactlyInAnyOrder(
            "Sample.java:3: @Deterministic gives no reason:"
                + " use because = \"…\" to say why replay does not notice",
            "Sample.java:3: Instant.now() reads a clock, which says something else on replay:"
                + " use ctx.now()");
  }
}
