package dev.reprise.verification.histories;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.archive.HistoryJson;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.testkit.ReplayCheck;
import dev.reprise.testkit.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A database of any version is brought up to date, and its open runs go on to their end. */
class OldDatabasesTest {
  private static final StoreProvider.Options READ_ONLY = new StoreProvider.Options(false, true);
  private static final Map<String, Status> OTHER_ENDS = // of runs that are open when they are kept
      Map.of(
          "cancelled-in-an-activity", Status.CANCELLED,
          "undoing", Status.FAILED,
          "undo-failed", Status.FAILED,
          "with-time-left", Status.TIMED_OUT);

  @TempDir Path folder;
  private final Desk desk = Desk.inOrder();
  private final Map<String, Scenario> scenarios =
      Scenarios.with(desk).stream().collect(Collectors.toMap(Scenario::name, s -> s));

  static List<VersionFolder> versions() throws IOException {
    return Kept.versions();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void open_runs_go_on_to_their_end(VersionFolder version) throws IOException {
    var url = "jdbc:sqlite:" + Files.copy(version.database(), folder.resolve("runs.db"));
    var names = names(version);

    var time = new VirtualTime(lastChange(version).plus(Duration.ofMinutes(1)));

    try (var engine = engine(url, time);
        var reader = Reprise.open(url, READ_ONLY)) {
      assertThat(names).anyMatch(name -> !engine.describe(name).status().isClosed());
      for (var name : names) finish(engine, name, () -> advance(time, reader, name));

      assertThat(ends(engine, names)).containsExactlyInAnyOrderEntriesOf(expected(version, names));
      names.forEach(name -> replay(engine, name));
      assertThat(new Doctor(reader).examine().findings()).isEmpty();
    }
  }

  private static Instant lastChange(VersionFolder version) throws IOException {
    var last = Instant.EPOCH;
    for (var file : version.histories()) {
      var at = HistoryJson.read(Files.readString(file)).events().getLast().at();
      if (at.isAfter(last)) last = at;
    }
    return last;
  }

  private static List<String> names(VersionFolder version) throws IOException {
    return version.histories().stream()
        .map(file -> file.getFileName().toString().replace(".json", ""))
        .filter(name -> !name.contains(VersionFolder.EARLIER))
        .toList();
  }

  private Engine engine(String url, VirtualTime time) {
    Desk.Lost lost = what -> "found " + what;
    var reprise = Reprise.open(url).time(time.view()).loopLimit(Recorder.LOOP_LIMIT);
    reprise.activities(new Recorder.PostOffice(), lost, desk);
    reprise.worker(QueueScenarios.SERVED, 2).worker(QueueScenarios.LATER, 2);
    for (var scenario : scenarios.values()) {
      reprise.workflow(scenario.name(), String.class, String.class, scenario.code());
    }
    return reprise.start();
  }

  private void finish(Engine engine, String name, Runnable advance) {
    var run = new Run(engine, name);
    if (engine.describe(name).status().isClosed()) return;
    scenario(engine, name).finish().accept(run);
    run.until(
        "its end",
        () -> {
          advance.run();
          return engine.describe(name).status().isClosed();
        });
  }

  /** Moves the time on if that is what the run waits for: as long as it is active it is due now. */
  private static void advance(VirtualTime time, Store reader, String name) {
    var row = reader.find(name).orElseThrow();
    var due = row.wakeAt();
    if (due == null || !due.isAfter(time.now()) || !reader.inputs(row.key()).isEmpty()) return;
    time.advanceTo(due);
  }

  private static Map<String, Status> ends(Engine engine, List<String> names) {
    var ends = new HashMap<String, Status>();
    names.forEach(name -> ends.put(name, engine.describe(name).status()));
    return ends;
  }

  /** What has ended stays as it is. */
  private static Map<String, Status> expected(VersionFolder version, List<String> names)
      throws IOException {
    var ends = new HashMap<String, Status>();
    for (var name : names) {
      var file = version.path().resolve(name + ".json");
      var kept = HistoryJson.read(Files.readString(file)).run().status();
      boolean open = !kept.isClosed();
      ends.put(name, open ? OTHER_ENDS.getOrDefault(name, Status.COMPLETED) : kept);
    }
    return ends;
  }

  /** What two versions recorded together is one history. */
  private void replay(Engine engine, String name) {
    var scenario = scenario(engine, name);
    new ReplayCheck()
        .workflow(scenario.name(), String.class, String.class, scenario.code())
        .replay(ReplayCheck.download(engine.handle(name, String.class)));
  }

  /** A child or a fork has a name of its own. */
  private Scenario scenario(Engine engine, String name) {
    return scenarios.get(engine.describe(name).workflow());
  }
}
