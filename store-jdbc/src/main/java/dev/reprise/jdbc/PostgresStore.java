package dev.reprise.jdbc;

import dev.reprise.RepriseException;
import dev.reprise.Texts;
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
import dev.reprise.engine.store.WakeupMode;
import dev.reprise.engine.store.Wakeups;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store in a PostgreSQL database, which many nodes may have at the same time.
 *
 * <p>One connection commits batches, a few others do everything else, and one shows that the
 * process lives.
 */
final class PostgresStore implements Store {
  /** The role of the connection that commits batches. */
  static final String WRITER = "reprise-journal";

  /** The role of the connection that shows that the process lives. */
  static final String PRESENCE = "reprise-presence";

  private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
  private static final int MAX_READERS = 2; // reads are short
  private static final int MAX_TASKS = 2; // one takes while another reports

  private final Options options;
  private final String database;
  private final PostgresOpening.Home home;
  private final Lane journal;
  private final Lane readers;
  private final Lane taskLane;
  private final PostgresTasks tasks;
  private final DatabaseClock clock;
  private final Members members = new Members();
  private final PostgresReceipts receipts = new PostgresReceipts();
  private final Continuity continuity = new Continuity(receipts);
  private final PostgresNodes nodes;
  private final PostgresWriter writer;
  private final PostgresClaims claims = new PostgresClaims();
  private final @Nullable Notifier notifier;
  private final Presence presence;

  private PostgresStore(
      ConnectionSource source, Options options, DatabaseClock clock, PostgresOpening.Home home) {
    this.options = options;
    this.database = source.database();
    this.clock = clock;
    this.home = home;
    this.journal = new Lane(source, WRITER, 1);
    this.readers = new Lane(source, "reprise-reader", MAX_READERS);
    this.taskLane = new Lane(source, "reprise-tasks", MAX_TASKS);
    this.tasks = new PostgresTasks(taskLane, options.readOnly());
    this.nodes = new PostgresNodes(clock, continuity);
    this.writer = new PostgresWriter(clock, receipts, continuity);
    this.notifier =
        options.wakeups() == WakeupMode.POLL
            ? null
            : new Notifier(SchemaChoice.channel(home.schema()), this::notifyAll);
    this.presence = new Presence(source, clock, notifier);
  }

  /**
   * Opens a database, and creates its tables or brings them up to date if the options allow that.
   *
   * @throws dev.reprise.RepriseException {@code R115} or {@code R116} if this release cannot work
   *     with the database, which is left as it was
   */
  static PostgresStore open(ConnectionSource source, Options options) {
    var clock = new DatabaseClock();
    var home = PostgresOpening.open(source, clock, options);
    var store = new PostgresStore(source, options, clock, home);
    try {
      store.readers.read(
          session -> {
            PostgresOpening.migrate(session, source.database(), home, options);
            return session;
          });
      return store;
    } catch (RuntimeException | Error failure) {
      store.close();
      throw failure;
    }
  }

  private void notifyAll(String payload) {
    var channel = SchemaChoice.channel(home.schema());
    readers.use(session -> session.list(Notifier.NOTIFY, columns -> 1, channel, payload));
  }

  private void checkMayWrite() {
    if (options.readOnly()) {
      throw new IllegalStateException("the store was opened for reading only");
    }
  }

  private <T> T read(Function<PostgresReader, T> work) {
    return PostgresErrors.reading(
        database, () -> readers.read(session -> work.apply(new PostgresReader(session))));
  }

  // ---- the node -------------------------------------------------------------------------------

  /** Shows the lock before the row: nobody may take the node for dead in between. */
  @Override
  public void join(Joining node) {
    checkMayWrite();
    int lockId = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
    presence.hold(node.node(), lockId);
    try {
      members.add(
          readers.read(
              session -> {
                presence.checkApart(session);
                return nodes.join(session, node, lockId);
              }));
    } catch (RuntimeException | Error failure) {
      presence.release(lockId);
      throw failure;
    }
  }

  @Override
  public void retire(UUID node) {
    checkMayWrite();
    readers.read(
        session -> {
          nodes.retire(session, node);
          return node;
        });
  }

  @Override
  public Set<String> codes() {
    return readers.read(nodes::codes);
  }

  @Override
  public void leave(UUID node) {
    checkMayWrite();
    members
        .remove(node)
        .ifPresent(
            member -> {
              presence.release(member.lockId);
              dropPen(member);
            });
    readers.read(
        session -> {
          nodes.leave(session, node);
          return node;
        });
  }

  @Override
  public String name() {
    return "PostgreSQL " + database;
  }

  @Override
  public Map<String, Instant> unclaimed(Instant before) {
    return read(reader -> reader.unclaimed(before));
  }

  @Override
  public List<NodeRow> nodes() {
    return readers.read(nodes::nodes);
  }

  @Override
  public boolean fence(NodeRow seen) {
    checkMayWrite();
    members.find(seen.node()).ifPresent(this::dropPen);
    return readers.use(session -> nodes.fence(session, seen));
  }

  /** Without this our own connection would be ended by who fences the node. */
  private void dropPen(Member member) {
    try {
      journal.useIdle(session -> Pen.drop(session, member));
    } catch (StoreUnavailable gone) {
      LOG.debug("the connection with the pen of node {} is gone", member.node, Texts.shown(gone));
    }
  }

  @Override
  public Optional<RepriseException> newerSchema() {
    return readers.read(session -> PostgresOpening.otherRelease(session, database, home));
  }

  @Override
  public Map<UUID, Long> ownedRuns() {
    return read(PostgresReader::ownedRuns);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public boolean isPresent() {
    return presence.isPresent();
  }

  @Override
  public int absences() {
    return presence.absences();
  }

  @Override
  public InstantSource clock() {
    return clock;
  }

  @Override
  public Wakeups wakeups() {
    return notifier == null ? Wakeups.NONE : notifier;
  }

  // ---- writing --------------------------------------------------------------------------------

  @Override
  public List<Outcome> commit(Batch batch) {
    checkMayWrite();
    var member = members.get(batch.node());
    presence.checkUnshared();
    return journal.use(session -> writer.commit(session, member, batch));
  }

  static final String RESERVE = "UPDATE run_keys SET next = next + ? RETURNING next - ?";

  /** Some are left out if the answer is lost; there are enough. */
  @Override
  public int deleteClosed(Instant before, int limit) {
    checkMayWrite();
    return readers.read(session -> PostgresRetention.deleteClosed(session, before, limit));
  }

  @Override
  public long reserveKeys(int count) {
    checkMayWrite();
    return readers
        .read(session -> session.first(RESERVE, columns -> columns.getLong(1), count, count))
        .orElseThrow();
  }

  @Override
  public List<RunRow> claim(Claim claim) {
    checkMayWrite();
    var member = members.get(claim.node());
    return readers.use(
        session -> {
          continuity.check(session, member);
          return claims.claim(session, member, claim);
        });
  }

  @Override
  public void tried(UUID node, long run, Trial trial) {
    checkMayWrite();
    var member = members.get(node);
    readers.read(
        session -> {
          PostgresClaims.tried(session, member, run, trial);
          return member;
        });
  }

  @Override
  public TaskStore tasks() {
    return tasks;
  }

  // ---- reading --------------------------------------------------------------------------------

  @Override
  public Optional<Instant> nextWake(UUID node, List<String> workflows) {
    return read(reader -> reader.nextWake(workflows));
  }

  @Override
  public List<Long> runsWithInputs(UUID node, List<String> workflows) {
    return read(reader -> reader.runsWithInputs(node, workflows));
  }

  @Override
  public List<RunRow> runs(Collection<Long> keys) {
    return read(reader -> reader.runs(keys));
  }

  @Override
  public Optional<RunRow> find(String workflowId) {
    return read(reader -> reader.find(workflowId));
  }

  @Override
  public List<RunRow> runsOf(String workflowId) {
    return read(reader -> reader.runsOf(workflowId));
  }

  @Override
  public List<EventRow> history(long run, int fromIndex, int limit) {
    return read(reader -> reader.history(run, fromIndex, limit));
  }

  @Override
  public Map<Long, Stored> load(Collection<Long> runs, int events) {
    return read(reader -> reader.load(runs, events));
  }

  @Override
  public List<EventRow> eventsOfType(long run, int type) {
    return read(reader -> reader.eventsOfType(run, type));
  }

  @Override
  public Optional<EventRow> lastEvent(long run) {
    return read(reader -> reader.lastEvent(run));
  }

  @Override
  public List<InputRow> inputs(long run) {
    return read(reader -> reader.inputs(run));
  }

  @Override
  public Map<Long, List<InputRow>> inputs(Collection<Long> runs) {
    return read(reader -> reader.inputs(runs));
  }

  @Override
  public List<RunRow> list(Filter filter, long beforeKey, int limit) {
    return read(reader -> reader.list(filter, beforeKey, limit));
  }

  @Override
  public long count(Filter filter) {
    return read(reader -> reader.count(filter));
  }

  @Override
  public Map<String, Long> countBy(Filter filter, Grouping grouping) {
    return read(reader -> reader.countBy(filter, grouping));
  }

  @Override
  public List<Inconsistency> inconsistencies(int limit) {
    return PostgresErrors.reading(
        database, () -> readers.read(session -> PostgresAudit.inconsistencies(session, limit)));
  }

  /** Presence goes last: until then the others know that this process is there. */
  @Override
  public void close() {
    if (notifier != null) notifier.close();
    journal.close();
    readers.close();
    taskLane.close();
    presence.close();
  }
}
