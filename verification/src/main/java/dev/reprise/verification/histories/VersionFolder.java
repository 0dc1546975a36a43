package dev.reprise.verification.histories;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.archive.History;
import dev.reprise.engine.archive.HistoryJson;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one version of the engine left behind: its database, a history of each run, and the types of
 * events that it had.
 */
record VersionFolder(Path path) {
  static final String DATABASE = "runs.sqlite"; // *.db is what git ignores
  static final String TYPES = "event-types.txt";

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
      for (var run : store.list(Filter.ALL, Long.MAX_VALUE, MAX_RUNS))
        export(store, run.workflowId());
    }
  }

  private void export(Store store, String workflowId) throws IOException {
    var history = History.of(store, workflowId).orElseThrow();
    Files.writeString(path.resolve(workflowId + ".json"), HistoryJson.write(history) + "\n");
  }
}
