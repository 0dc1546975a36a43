package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.reprise.Context;
import dev.reprise.Workflow;
import java.io.IOException;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeterminismGuardTest {

  static final class Good implements Workflow<String, Instant> {
    @Override
    public Instant run(Context ctx, String input) {
      return ctx.now();
    }
  }

  static final class Bad implements Workflow<String, Instant> {
    @Override
    public Instant run(Context ctx, String input) {
      return ctx.async(() -> Instant.now()).await();
    }
  }

  interface SerializableWorkflow<I, O> extends Workflow<I, O>, Serializable {}

  @Test
  void a_class_is_checked_where_it_was_loaded_from() {
    var findings = DeterminismGuard.check(Good.class, Bad.class);

    assertThat(findings.workflows()).containsExactly(Good.class.getName(), Bad.class.getName());
    assertThat(findings.all())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.type()).isEqualTo(Bad.class.getName());
              assertThat(finding.method()).isEqualTo("run");
              assertThat(finding.file()).isEqualTo("DeterminismGuardTest.java");
              assertThat(finding.kind()).isEqualTo(Kind.CLOCK);
            });
  }

  @Test
  void the_findings_are_one_text_that_says_how_to_go_on() {
    assertThat(DeterminismGuard.check(Good.class).describe()).isEmpty();
    assertThat(DeterminismGuard.check(Bad.class).describe())
        .matches(
            """
            DeterminismGuardTest[.]java:\\d+: Instant[.]now[(][)] reads a clock, which says something \
            else on replay: use ctx[.]now[(][)]
            If replay does not notice, say why: @Deterministic[(]because = "…"[)] on the method or \
            class[.]\
            """);
  }

  @Test
  void the_result_is_kept() {
    assertThat(DeterminismGuard.check(Bad.class).all().getFirst())
        .isSameAs(DeterminismGuard.check(Bad.class).all().getFirst());
  }

  @Test
  void what_is_not_a_workflow_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeterminismGuard.check(String.class))
        .withMessage("java.lang.String is not a workflow");
  }

  // ---- lambdas

  @Test
  void the_body_of_a_lambda_is_found_if_it_is_the_only_one_of_its_kind() {
    var number = List.of(1).size();
    Workflow<String, Object> lambda = (_, _) -> Instant.now().plusSeconds(number);

    assertThat(DeterminismGuard.check(lambda.getClass()).all())
        .extracting(Finding::method)
        .containsExactly("the_body_of_a_lambda_is_found_if_it_is_the_only_one_of_its_kind");
  }

  @Test
  void lambdas_that_cannot_be_told_apart_are_not_accused() {
    Workflow<String, Object> first = (_, _) -> Instant.now();
    Workflow<String, Object> second = (ctx, _) -> ctx.now();

    assertThat(DeterminismGuard.check(first).isEmpty()).isTrue();
    assertThat(DeterminismGuard.check(second).isEmpty()).isTrue();
  }

  @Test
  void a_serializable_lambda_tells_where_its_body_is() {
    SerializableWorkflow<String, Object> first = (_, _) -> Instant.now();
    SerializableWorkflow<String, Object> second = (ctx, _) -> ctx.now();

    assertThat(DeterminismGuard.check(first).all())
        .extracting(Finding::what)
        .containsExactly("Instant.now()");
    assertThat(DeterminismGuard.check(second).isEmpty()).isTrue();
  }

  @Test
  void the_class_of_an_object_is_checked() {
    assertThat(DeterminismGuard.check(new Bad()).all()).hasSize(1);
  }

  // ---- jars

  @Test
  void jars_are_scanned_with_what_else_is_of_the_same_packages(@TempDir Path folder)
      throws IOException {
    var sources =
        Map.of(
            "Sample",
            Samples.workflow("Sample", "Other.time(); Instant.now();"),
            "Other",
            "class Other { static Object time() { return Instant.now(); } }");
    Samples.compile(folder, sources);

    var findings =
        DeterminismGuard.scan(
            List.of(jar(folder, "Sample")), List.of(Samples.api(), jar(folder, "Other")));

    assertThat(findings.workflows()).containsExactly("samples.Sample");
    assertThat(findings.all())
        .extracting(Finding::type)
        .containsExactly("samples.Other", "samples.Sample");
  }

  @Test
  void a_class_from_a_loader_of_its_own_is_read_from_there(@TempDir Path folder)
      throws IOException, ClassNotFoundException {
    Samples.compile(folder, Map.of("Sample", Samples.workflow("Sample", "Instant.now();")));
    var place = jar(folder, "Sample").toUri().toURL();

    try (var loader = new URLClassLoader(new URL[] {place}, getClass().getClassLoader())) {
      var workflow = loader.loadClass("samples.Sample");

      assertThat(DeterminismGuard.check(workflow).all()).hasSize(1);
    }
  }

  private static Path jar(Path folder, String name) throws IOException {
    var jar = folder.resolve(name + ".jar");
    try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("samples/" + name + ".class"));
      out.write(Files.readAllBytes(folder.resolve("samples/" + name + ".class")));
      out.closeEntry();
    }
    return jar;
  }
}
