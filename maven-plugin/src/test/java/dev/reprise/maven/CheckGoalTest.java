package dev.reprise.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The goal in a real Maven, on a project with one compiled workflow. */
class CheckGoalTest {
  private static final String WORKFLOW =
      """
      package org.example;

      import dev.reprise.Context;
      import dev.reprise.Workflow;

      public class Checkout implements Workflow<String, String> {
        @Override
        public String run(Context ctx, String order) {
          return order + %s;
        }
      }
      """;

  @TempDir private static Path repository;
  @TempDir private Path project;

  @BeforeAll
  static void install() throws IOException {
    new LocalRepository(repository).install();
  }

  private MavenRun check(String expression, String... options) throws Exception {
    Files.writeString(project.resolve("pom.xml"), LocalRepository.project());
    var classes = Files.createDirectories(project.resolve("target/classes"));
    var source = project.resolve("Checkout.java");
    Files.writeString(source, WORKFLOW.formatted(expression));
    var api = LocalRepository.place("dev.reprise.Workflow").toString();
    var compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", api, "-d", classes.toString(), source.toString());
    assertThat(compiled).isZero();
    return MavenRun.of(project, repository, List.of(options));
  }

  @Test
  void it_fails_on_a_workflow_that_reads_the_clock() throws Exception {
    var maven = check("java.time.Instant.now()");

    assertThat(maven.output())
        .contains(
            "Checkout.java:9: Instant.now() reads a clock, which says something else on replay:"
                + " use ctx.now()",
            "workflows do what would be different on replay");
    assertThat(maven.code()).isEqualTo(1);
  }

  @Test
  void it_passes_on_a_workflow_that_asks_its_context() throws Exception {
    var maven = check("ctx.now()");

    assertThat(maven.output()).contains("checked 1 workflow: nothing found");
    assertThat(maven.code()).isZero();
  }

  @Test
  void it_can_be_skipped() throws Exception {
    var maven = check("java.time.Instant.now()", "-Dreprise.guard.skip");

    assertThat(maven.output()).contains("skipped").doesNotContain("Checkout.java");
    assertThat(maven.code()).isZero();
  }
}
