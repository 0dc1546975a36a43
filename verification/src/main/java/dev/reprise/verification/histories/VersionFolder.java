package dev.reprise.verification.histories;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.archive.History;
import dev.reprise.engine.archive.HistoryJson;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one version of the engine left behind: its database, a history of each run, and the types of
 * events that it had.
 */
record VersionFolder(Path path) {
  static final String DATABASE = "runs.sqlite"; // *.db is what git ignores
  static final String TYPES = "event-types.txt";
  static final String EARLIER = "~"; // in the name of a run that is not the latest of its workflow

  private static final int MAX_RUNS = 1_000;
  private static final StoreProvider.Options MIGRATING = new StoreProvider.Options(true, false);

  List<Path> histories() throws IOException {
    try (var files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  Path database() {
    return path.resolve(DATABASE);
  }

  Set<String> types() throws IOException {
    return new TreeSet<>(Files.readAllLines(path.resolve(TYPES)));
  }

  /** The types of events that its histories have. */
  Set<String> covered() throws IOException {
    var types = new TreeSet<String>();
    for (var file : histories()) {
      for (var event : HistoryJson.read(Files.readString(file)).events()) {
        types.add(EventType.of(event.type()).label());
      }
    }
    return types;
  }

  /**
   * Fills the folder from a database, which may be of an older version.
   *
   * @param types what that version could record
   * @param scratch where the database is brought up to date, to be read
   */
  void fill(Path from, Collection<String> types, Path scratch) throws IOException {
    Files.createDirectories(path);
    Files.copy(from, database());
    Files.writeString(path.resolve(TYPES), String.join("\n", new TreeSet<>(types)) + "\n");
    var copy = Files.copy(from, scratch.resolve("copy.db"));
    try (var store = Reprise.open("jdbc:sqlite:" + copy, MIGRATING)) {
      var runs = new TreeMap<String, List<RunRow>>();
      for (var run : store.list(Filter.ALL, Long.MAX_VALUE, MAX_RUNS)) {
        runs.computeIfAbsent(run.workflowId(), _ -> new ArrayList<>()).add(run);
      }
      for (var chain : runs.values()) export(store, chain);
    }
  }

  /** The latest run of a workflow has its name, those before it a number too. */
  private void export(Store store, List<RunRow> latestFirst) throws IOException {
    for (int i = 0; i < latestFirst.size(); i++) {
      var run = latestFirst.get(i);
      var name = run.workflowId() + (i == 0 ? "" : EARLIER + (latestFirst.size() - i));
      var history = new History(run, HistoryView.rows(store, run.key()));
      Files.writeString(path.resolve(name + ".json"), HistoryJson.write(history) + "\n");
    }
  }
}
