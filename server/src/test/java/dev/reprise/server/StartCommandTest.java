package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.testpostgres.PostgresServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Starting from the command line, beside an engine on PostgreSQL and without one. */
class StartCommandTest {

  /** Where it goes and how it ends. */
  public record Trip(String to, int days) {}

  /** Packs and goes; waits for luggage, fails or is blocked if its input says so. */
  static final class Travel implements Workflow<Trip, String> {
    static final Signal<String> LUGGAGE = Signal.of("luggage", String.class);

    @Override
    public String run(Context ctx, Trip trip) {
      if (trip == null) return "nowhere";
      return switch (trip.to()) {
        case "nowhere" -> throw new IllegalStateException("no such place");
        case "mistake" -> throw new AssertionError("a mistake in the code");
        case "wait" -> ctx.receive(LUGGAGE);
        default -> "%d days in %s".formatted(trip.days(), trip.to());
      };
    }
  }

  @TempDir Path folder;
  private final String url = PostgresServer.shared().createDatabase();
  private Engine engine;

  @BeforeEach
  void open() {
    engine = Reprise.open(url).workflow(new Travel()).worker("trips", 2).start();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private ConsoleRun run(String... arguments) {
    var all = new ArrayList<>(List.of("start"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--db", url));
    return ConsoleRun.of(all.toArray(String[]::new));
  }

  @Test
  void a_workflow_is_started_by_its_name() {
    var run = run("Travel", "trip-7", "{\"to\":\"Rome\",\"days\":3}");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).containsExactly("trip-7: started");
    assertThat(engine.handle(Travel.class, "trip-7").result()).isEqualTo("3 days in Rome");
  }

  @Test
  void its_result_is_waited_for() {
    var run = run("Travel", "trip-7", "{\"to\":\"Rome\",\"days\":3}", "--wait");

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).containsExactly("\"3 days in Rome\"");
    assertThat(run("Travel", "trip-8", "--wait").lines()).containsExactly("\"nowhere\"");
  }

  @Test
  void the_input_may_be_in_a_file_or_come_from_the_standard_input() throws IOException {
    var file = Files.writeString(folder.resolve("trip.json"), "{\"to\":\"Oslo\",\"days\":5}\n");

    assertThat(run("Travel", "trip-7", "--file", file.toString(), "--wait").lines())
        .containsExactly("\"5 days in Oslo\"");

    var before = System.in;
    try {
      var typed = "{\"to\":\"Kyiv\",\"days\":2}\n".getBytes(StandardCharsets.UTF_8);
      System.setIn(new ByteArrayInputStream(typed));
      assertThat(run("Travel", "trip-8", "-", "--wait").lines())
          .containsExactly("\"2 days in Kyiv\"");
    } finally {
      System.setIn(before);
    }
  }

  @ParameterizedTest
  @CsvSource({"nowhere,3,no such place", "mistake,4,a mistake in the code"})
  void an_end_without_a_result_has_its_exit_code_and_its_reason(
      String to, int exitCode, String reason) {
    var run = run("Travel", "trip-7", "{\"to\":\"%s\",\"days\":1}".formatted(to), "--wait");

    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(reason);
  }

  @Test
  void what_does_not_end_within_the_limit_goes_on() {
    var run = run("Travel", "trip-7", "{\"to\":\"wait\"}", "--wait", "--limit", "300ms");

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.err()).contains("trip-7 is running", "it goes on");
    assertThat(engine.describe("trip-7").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void options_are_those_of_a_start() {
    var run =
        run(
            "Travel",
            "trip-7",
            "--queue",
            "trips",
            "--key",
            "c-7",
            "--priority",
            "-1",
            "--delay",
            "1h",
            "--timeout",
            "2d",
            "--attribute",
            "customer=c-7",
            "--attribute",
            "price=12.5",
            "--attribute",
            "vip=true",
            "--attribute",
            "zip=00742");

    assertThat(run.err()).isEmpty();
    assertThat(run.lines()).containsExactly("trip-7: waits for its turn");
    var description = engine.describe("trip-7");
    assertThat(description.status()).isEqualTo(Status.QUEUED);
    assertThat(description.attributes())
        .containsEntry("customer", "c-7")
        .containsEntry("vip", true)
        .containsEntry("zip", "00742");
    assertThat(engine.count("attribute.price = 12.5")).isEqualTo(1);
    assertThat(engine.queue("trips").delayed()).isEqualTo(1);
  }

  @Test
  void the_same_start_again_is_the_same_run_and_another_one_is_R105() {
    run("Travel", "trip-7", "{\"to\":\"wait\"}");

    assertThat(run("Travel", "trip-7", "{\"to\":\"wait\"}").exitCode()).isZero();
    assertThat(engine.runs("trip-7")).hasSize(1);

    var other = run("Travel", "trip-7", "{\"to\":\"Rome\"}");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.err().lines().collect(Collectors.joining(" ")))
        .startsWith("reprise: R105")
        .contains("with other input");
    var stay = run("Stay", "trip-7", "{\"to\":\"wait\"}").err();
    assertThat(stay.lines().collect(Collectors.joining(" ")))
        .contains("R105", "in use by the workflow 'Travel'", "to be given to 'Stay'")
        .doesNotContain("other input");
  }

  @Test
  void a_name_that_has_never_run_is_warned_about() {
    run("Travel", "trip-7", "{\"to\":\"Rome\"}", "--wait");

    var run = run("Travle", "trip-8");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("No workflow 'Travle' has run here before, only Travel.");
  }

  @Test
  void that_there_is_no_engine_is_warned_about() {
    engine.close();

    var run = run("Travel", "trip-7", "{\"to\":\"Rome\",\"days\":3}");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("There is no engine now");
    open();
    assertThat(engine.handle(Travel.class, "trip-7").result()).isEqualTo("3 days in Rome");
  }

  @Test
  void for_programs_it_prints_the_run() {
    var run = run("Travel", "trip-7", "{\"to\":\"wait\"}", "--json");

    var json = JsonMapper.shared().readTree(run.out());
    assertThat(json.path("workflowId").asString()).isEqualTo("trip-7");
    assertThat(json.path("workflow").asString()).isEqualTo("Travel");
  }

  @Test
  void what_makes_no_sense_is_an_error_of_use() {
    assertThat(run("Travel").exitCode()).isEqualTo(2);
    assertThat(run("Travel", "trip-7", "Rome").err()).contains("'Rome' is not JSON");
    assertThat(run("Travel", "trip-7", "--limit", "1s").err()).contains("--limit is for --wait");
    assertThat(run("Travel", "trip-7", "--delay", "soon").err()).contains("'soon'", "30s");
    assertThat(run("Travel", "trip-7", "--file", folder + "/missing").exitCode()).isEqualTo(2);
    assertThat(run("Travel", "trip-7", "{}", "--file", "x").err()).contains("not both");
    assertThat(run(" ", "trip-7").err()).contains("is blank");
    assertThat(engine.list(dev.reprise.ListQuery.all())).isEmpty();
  }

  @Test
  void on_a_file_the_next_engine_runs_it_and_nothing_is_waited_for() {
    var file = Databases.empty(folder).toString();

    var run = ConsoleRun.of("start", "Greeting", "greet-7", "\"Ada\"", "--db", file);
    var waiting = ConsoleRun.of("start", "Greeting", "greet-8", "\"Ada\"", "--wait", "--db", file);

    assertThat(run.exitCode()).isZero();
    assertThat(waiting.exitCode()).isEqualTo(1);
    assertThat(waiting.err()).startsWith("reprise: R120").contains("leave out --wait");
    try (var next = Databases.engine(Path.of(file))) {
      assertThat(next.handle(Greeting.class, "greet-7").result()).isEqualTo("Hello, Ada");
    }
  }
}
