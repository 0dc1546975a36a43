package dev.reprise.verification.demo;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.HistoryEvent;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.examples.demo.Demo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first of the two commands of the README, as a process with processes of its own. */
class DemoTest {
  private static final int LIMIT_SECONDS = 120; // it takes four on an idle machine
  private static final String CUT_OFF = "Warehouse.pack lamp";

  @TempDir static Path folder;
  private static Path database;
  private static int exitCode;
  private static String output;

  /** Over the files of an earlier demo, of which nothing may be left. */
  @BeforeAll
  static void run() throws IOException, InterruptedException {
    database = Files.writeString(folder.resolve("orders.db"), "left behind");
    Files.writeString(folder.resolve("orders.db.activities"), "1 DONE left behind\n");
    exitCode = demo(database);
    output = output();
  }

  @Test
  void the_demo_succeeds() {
    assertThat(exitCode).as(output).isZero();
  }

  @Test
  void its_first_process_is_killed_the_hard_way() {
    assertThat(output).contains("Runtime.halt(137)", "exit code 137");
  }

  @Test
  void every_activity_completes_exactly_once() throws IOException {
    assertThat(times("DONE"))
        .isEqualTo(
            Map.of(
                "Inventory.reserve",
                1L,
                "Payments.charge",
                1L,
                "Warehouse.pack teapot",
                1L,
                "Warehouse.pack cups",
                1L,
                CUT_OFF,
                1L,
                "Shipping.ship",
                1L));
  }

  @Test
  void only_what_was_cut_off_begins_twice() throws IOException {
    var begun = times("BEGINS");

    assertThat(begun.remove(CUT_OFF)).isEqualTo(2);
    assertThat(begun.values()).containsOnly(1L);
  }

  @Test
  void the_history_goes_from_the_start_to_the_completion_and_is_shown() {
    assertThat(history()).extracting(HistoryEvent::type).startsWith("WorkflowStarted");
    assertThat(history()).extracting(HistoryEvent::type).endsWith("WorkflowCompleted");
    assertThat(history())
        .extracting(HistoryEvent::subject)
        .filteredOn(subject -> subject.startsWith("Warehouse.pack:"))
        .hasSize(3);
    assertThat(output).contains("WorkflowCompleted");
  }

  @Test
  void no_line_is_wider_than_a_terminal() {
    assertThat(output.lines())
        .filteredOn(line -> !line.contains(folder.toString()))
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void the_file_of_somebody_else_is_left_alone() throws Exception {
    var foreign = Files.writeString(folder.resolve("foreign.db"), "precious");

    assertThat(demo(foreign)).isEqualTo(1);
    assertThat(output()).contains("foreign.db is not from the demo");
    assertThat(foreign).hasContent("precious");
  }

  private static int demo(Path on) throws IOException, InterruptedException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Demo.class.getName(),
            "--db",
            on.toString());
    var process =
        onTerminal(new ProcessBuilder(command))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** As the launcher does where the output goes to a terminal. */
  private static ProcessBuilder onTerminal(ProcessBuilder builder) {
    builder.environment().put("COLUMNS", "100");
    return builder;
  }

  private static String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  /** How often each activity says that of itself, in all lives together. */
  private static Map<String, Long> times(String moment) throws IOException {
    return Files.readAllLines(folder.resolve("orders.db.activities")).stream()
        .map(line -> line.split(" ", 3))
        .filter(parts -> parts[1].equals(moment))
        .collect(groupingBy(parts -> parts[2], counting()));
  }

  private static List<HistoryEvent> history() {
    var readOnly = new StoreProvider.Options(false, true);
    try (var store = Reprise.open("jdbc:sqlite:" + database, readOnly)) {
      return HistoryView.of(store, store.find("order-7").orElseThrow().key());
    }
  }
}
