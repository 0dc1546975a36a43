package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.gate.ReplayGate;
import dev.reprise.testpostgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

class ReplayCheckCommandTest {
  @TempDir Path folder;

  enum Database {
    SQLITE,
    POSTGRES;

    String create(Path folder) {
      return switch (this) {
        case SQLITE -> "jdbc:sqlite:" + folder.resolve("shipments.db");
        case POSTGRES -> PostgresServer.shared().createDatabase();
      };
    }
  }

  static final class Unknown implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String input) {
      ctx.receive(Shipments.DELIVERED);
      return input;
    }
  }

  // ---- what is found

  @ParameterizedTest
  @EnumSource
  void a_change_that_departs_is_told_with_both_lines_and_fails(Database database) {
    var url = recorded(database);

    var check = check(url, Shipments.Careless.class);

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.err()).isEmpty();
    assertThat(check.out())
        .containsPattern("Shipment departs from its history at Shipments.java:\\d+, in 3 runs:")
        .containsPattern("'parcel-\\d' \\(run [0-9a-f-]{36}, [A-Z]+\\) follows 1 event")
        .containsPattern("recorded as #2: .*Courier.fetch.* at Shipments.java:\\d+")
        .containsPattern("the code now: .*Courier.weigh.* at Shipments.java:\\d+")
        .contains("An engine with this code would block the run. Guard the change")
        .doesNotContain("Nothing was written", "then resume")
        .contains("The code does not follow 3 of 3 runs.");
  }

  @ParameterizedTest
  @EnumSource
  void a_change_that_is_guarded_passes_and_nothing_is_written(Database database) {
    var url = recorded(database);
    var before = Dump.of(url);

    var check = check(url, Shipments.Careful.class);

    assertThat(check.exitCode()).isZero();
    assertThat(check.lines()).last().isEqualTo("The code follows all of 3 runs.");
    assertThat(check(url, Shipments.Careless.class).exitCode()).isEqualTo(1);
    assertThat(Dump.of(url)).hasSizeGreaterThan(8).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void a_database_is_checked_beside_its_engine(Database database) {
    var url = database.create(folder);
    try (var engine = Shipments.record(url)) {
      assertThat(check(url, Shipments.Careful.class).exitCode()).isZero();
      assertThat(check(url, Shipments.Careless.class).exitCode()).isEqualTo(1);

      engine.signal("parcel-2", Shipments.DELIVERED, "Grace");

      assertThat(engine.handle(Shipments.Yesterday.class, "parcel-2").result())
          .isEqualTo("label of cupsGrace");
    }
  }

  @Test
  void runs_of_workflows_that_the_code_does_not_have_are_told() {
    var url = recorded(Database.SQLITE);
    try (var engine = Reprise.open(url).workflow(new Unknown()).start()) {
      engine.start(Unknown.class, "stranger", "?");
    }

    var check = check(url, Shipments.Careful.class);
    var strict = check(url, Shipments.Careful.class, "--strict");

    assertThat(check.exitCode()).isZero();
    assertThat(check.out()).contains("Unknown is not known to this code.");
    assertThat(strict.exitCode()).isEqualTo(1);
  }

  @Test
  void a_report_for_programs_is_json() {
    var url = recorded(Database.SQLITE);

    var check = check(url, Shipments.Careless.class, "--json", "--sample", "0");

    var report = JsonMapper.shared().readTree(check.out());
    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(report.path("follows").asBoolean()).isFalse();
    assertThat(report.path("checked").asInt()).isEqualTo(2);
    var workflow = report.path("workflows").get(0);
    assertThat(workflow.path("workflow").asString()).isEqualTo("Shipment");
    assertThat(workflow.path("departed").asInt()).isEqualTo(2);
    assertThat(workflow.path("departures").get(0).path("line").asString())
        .startsWith("Shipments.java:");
    assertThat(workflow.path("departures").get(0).path("reason").asString()).contains("R101");
  }

  @Test
  void progress_is_told_in_one_line() {
    assertThat(ReplayCheckCommand.text(new ReplayGate.Progress(1_200, 3)))
        .isEqualTo("checked 1,200 runs, 3 of them depart");
  }

  // ---- the code

  @Test
  void workflows_are_found_on_a_class_path() throws IOException {
    var url = recorded(Database.SQLITE);
    var code = folder.resolve("code");
    compile(
        code,
        """
        package acme;
        public class Code implements dev.reprise.engine.Workflows {
          public void register(dev.reprise.engine.Reprise engine) {
            engine.workflow("Shipment", String.class, String.class, (ctx, parcel) -> parcel);
          }
        }
        """);
    var services = Files.createDirectories(code.resolve("META-INF/services"));
    Files.writeString(services.resolve("dev.reprise.engine.Workflows"), "acme.Code");

    var check = ConsoleRun.of("replay-check", "--db", url, "--classpath", code.toString());

    assertThat(check.exitCode()).as(check.err()).isEqualTo(1);
    assertThat(check.out()).contains("The code does not follow 3 of 3 runs.");
  }

  private static void compile(Path folder, String source) throws IOException {
    Files.createDirectories(folder);
    var file = Files.writeString(folder.resolve("Code.java"), source);
    var path = System.getProperty("java.class.path");
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", folder.toString(), "-cp", path, file.toString());
    assertThat(exit).isZero();
  }

  @Test
  void only_the_wanted_workflow_is_checked() {
    var url = recorded(Database.SQLITE);

    var check =
        check(
            url,
            Shipments.Careless.class,
            "--workflow-class",
            Unknown.class.getName(),
            "--workflow",
            "Unknown");

    assertThat(check.exitCode()).isZero();
    assertThat(check.out()).contains("The code follows all of 0 runs.");
  }

  // ---- what cannot be checked

  @Test
  void no_workflows_at_all_are_an_error_of_use() {
    var check = ConsoleRun.of("replay-check", "--db", recorded(Database.SQLITE));

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(check.err()).contains("no workflows on the class path", "--workflow-class");
  }

  @Test
  void options_that_make_no_sense_are_errors_of_use() {
    var url = "jdbc:sqlite:" + folder.resolve("missing.db");
    var careful = Shipments.Careful.class;

    assertThat(check(url, careful, "--sample", "-1"))
        .satisfies(run -> isMisused(run, "--sample", "0..1000"));
    assertThat(check(url, careful, "--patience", "0"))
        .satisfies(run -> isMisused(run, "--patience", "not above 0"));
    assertThat(check(url, careful, "--workflow", "Nobody"))
        .satisfies(run -> isMisused(run, "no 'Nobody'", "[Shipment]"));
    assertThat(check(url, careful, "--classpath", "no/such/folder"))
        .satisfies(run -> isMisused(run, "--classpath", "no/such/folder"));
    assertThat(check(url, careful, "--workflow-class", "acme.Nobody"))
        .satisfies(run -> isMisused(run, "--workflow-class", "acme.Nobody"));
  }

  @Test
  void code_that_cannot_be_loaded_is_not_checked() throws IOException {
    var services = Files.createDirectories(folder.resolve("code/META-INF/services"));
    Files.writeString(services.resolve("dev.reprise.engine.Workflows"), "acme.Missing");

    var check =
        ConsoleRun.of("replay-check", "--db", "any.db", "-cp", folder.resolve("code").toString());

    assertThat(check).satisfies(run -> isMisused(run, "cannot be loaded", "acme.Missing"));
  }

  private static void isMisused(ConsoleRun run, String... texts) {
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err().replace("\n", " ")).contains(texts);
  }

  @Test
  void a_database_that_cannot_be_opened_or_a_class_that_cannot_be_made_is_not_checked() {
    var url = "jdbc:sqlite:" + folder.resolve("missing.db");

    var missing = check(url, Shipments.Careful.class);
    var noWorkflow = check(url, ReplayCheckCommandTest.class);

    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).startsWith("reprise: R115");
    assertThat(noWorkflow.exitCode()).isEqualTo(2);
    assertThat(noWorkflow.err()).startsWith("reprise: R120");
  }

  // ---- how

  private String recorded(Database database) {
    var url = database.create(folder);
    Shipments.record(url).close();
    return url;
  }

  private static ConsoleRun check(String url, Class<?> workflow, String... more) {
    var arguments = new ArrayList<>(List.of("replay-check", "--db", url));
    arguments.addAll(List.of("--workflow-class", workflow.getName()));
    arguments.addAll(List.of(more));
    return ConsoleRun.of(arguments.toArray(String[]::new));
  }
}
