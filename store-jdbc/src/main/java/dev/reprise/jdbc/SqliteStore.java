package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Inconsistency;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.engine.store.TaskStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The store in an SQLite file.
 *
 * <p>One connection writes, for one thread at a time; the journal is the only one that writes much.
 * A few others read beside it.
 */
final class SqliteStore implements Store {
  private final Path file;
  private final @Nullable WriteConnection writer;
  private final ReadConnections readers;
  private final SqliteTasks tasks;

  private SqliteStore(Path file, @Nullable WriteConnection writer, ReadConnections readers) {
    this.file = file;
    this.writer = writer;
    this.readers = readers;
    this.tasks = new SqliteTasks(writer, readers);
  }

  /**
   * Opens a file, and creates it or brings it up to date if the options allow that.
   *
   * @throws RepriseException {@code R115} or {@code R116} if this release cannot work with the
   *     file, which is left as it was
   */
  static SqliteStore open(Path path, Options options) {
    var file = SqliteFile.at(path);
    if (options.readOnly() && Files.notExists(file.path())) {
      throw new RepriseException(
          ErrorCode.R115, "there is no database '%s' to read".formatted(file.path()));
    }
    if (!isUpToDate(file)) migrate(file, options);
    var guard = new FileGuard(file.path());
    var readers = new ReadConnections(file, guard);
    var writer = options.readOnly() ? null : new WriteConnection(file, guard);
    return new SqliteStore(file.path(), writer, readers);
  }

  /** Looks without writing: even to switch on the write-ahead log would change a foreign file. */
  private static boolean isUpToDate(SqliteFile file) {
    if (file.isNew()) return false;
    try (var jdbc = file.reader()) {
      return migrator(jdbc, file).isUpToDate();
    }
  }

  private static void migrate(SqliteFile file, Options options) {
    if (options.readOnly() || !options.migrate()) {
      throw Migrator.outdated("'%s'".formatted(file.path()), "sqlite", Migrator.SQLITE);
    }
    try (var _ = EngineLock.on(file.path())) {
      file.create();
      try (var jdbc = file.writer()) {
        migrator(jdbc, file).migrate();
      }
    }
  }

  private static Migrator migrator(Jdbc jdbc, SqliteFile file) {
    return new Migrator(new SqliteSchema(jdbc, file.path()), Migrator.SQLITE);
  }

  private WriteConnection writer() {
    if (writer == null) throw new IllegalStateException("the store was opened for reading only");
    return writer;
  }

  @Override
  public void join(Joining node) {
    writer().join(node);
  }

  @Override
  public String name() {
    return "SQLite file '%s'".formatted(file);
  }

  @Override
  public Map<String, Instant> unclaimed(Instant before) {
    return readers.read(reader -> reader.unclaimed(before));
  }

  @Override
  public void leave(UUID node) {
    writer().leave(node);
  }

  @Override
  public List<NodeRow> nodes() {
    boolean isLocked = EngineLock.isHeld(file);
    return readers.read(reader -> reader.nodes(isLocked));
  }

  /** There is no other node that could be gone: who joins fences all others. */
  @Override
  public boolean fence(NodeRow seen) {
    return false;
  }

  @Override
  public Map<UUID, Long> ownedRuns() {
    return readers.read(SqliteReader::ownedRuns);
  }

  @Override
  public List<Outcome> commit(Batch batch) {
    return writer().commit(batch);
  }

  @Override
  public int deleteClosed(Instant before, int limit) {
    return writer().deleteClosed(before, limit);
  }

  @Override
  public long reserveKeys(int count) {
    return writer().reserveKeys(count);
  }

  @Override
  public TaskStore tasks() {
    return tasks;
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    return writer().claim(claim);
  }

  @Override
  public void tried(UUID node, long run, Trial trial) {
    writer().tried(node, run, trial);
  }

  @Override
  public Optional<Instant> nextWake(UUID node, List<String> workflows) {
    return readers.read(reader -> reader.nextWake(node, workflows));
  }

  @Override
  public List<Long> runsWithInputs(UUID node, List<String> workflows) {
    return readers.read(reader -> reader.runsWithInputs(node, workflows));
  }

  @Override
  public List<RunRow> runs(Collection<Long> keys) {
    return readers.read(reader -> reader.runs(keys));
  }

  @Override
  public Optional<RunRow> find(String workflowId) {
    return readers.read(reader -> reader.find(workflowId));
  }

  @Override
  public List<RunRow> runsOf(String workflowId) {
    return readers.read(reader -> reader.runsOf(workflowId));
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    return readers.read(reader -> reader.history(run, fromIndex, limit));
  }

  @Override
  public List<EventRow> eventsOfType(long run, int type) {
    return readers.read(reader -> reader.eventsOfType(run, type));
  }

  @Override
  public Optional<EventRow> lastEvent(long run) {
    return readers.read(reader -> reader.lastEvent(run));
  }

  @Override
  public List<InputRow> inputs(long run) {
    return readers.read(reader -> reader.inputs(run));
  }

  @Override
  public Map<Long, List<InputRow>> inputs(Collection<Long> runs) {
    return readers.read(reader -> reader.inputs(runs));
  }

  @Override
  public List<RunRow> list(Filter filter, long beforeKey, int limit) {
    return readers.read(reader -> reader.list(filter, beforeKey, limit));
  }

  @Override
  public long count(Filter filter) {
    return readers.read(reader -> reader.count(filter));
  }

  @Override
  public Map<String, Long> countBy(Filter filter, Grouping grouping) {
    return readers.read(reader -> reader.countBy(filter, grouping));
  }

  @Override
  public List<Inconsistency> inconsistencies(int limit) {
    return readers.read(reader -> reader.inconsistencies(limit));
  }

  @Override
  public boolean isInProcess() {
    return true;
  }

  /** The writer goes last: it tidies the log away when nobody else has the file open. */
  @Override
  public void close() {
    readers.close();
    if (writer != null) writer.close();
  }
}
