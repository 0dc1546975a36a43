package dev.reprise.jdbc;

import dev.reprise.Texts;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows of {@code nodes}. */
final class PostgresNodes {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresNodes.class);

  /** The first half of the keys of our advisory locks ("Rprs"). */
  static final int LOCKS = 0x52707273;

  private final DatabaseClock clock;
  private final Continuity continuity;

  PostgresNodes(DatabaseClock clock, Continuity continuity) {
    this.clock = clock;
    this.continuity = continuity;
  }

  /** The second time, if the answer to the first was lost, changes nothing. */
  static final String INSERT =
      """
      INSERT INTO nodes (
             node, host, client, lock_id, codes, workflows, writer_pid, lease, lease_until)
      SELECT ?, ?, ?, ?, ?::text[], ?::text[], 0, given.lease, clock_timestamp() + given.lease
        FROM (SELECT ? * interval '1 millisecond' AS lease) AS given
          ON CONFLICT (node) DO UPDATE SET lock_id = excluded.lock_id
       WHERE nodes.commit_seq = 0 AND NOT nodes.fenced
      RETURNING node_key, clock_timestamp()
      """;

  Member join(Session session, Joining joining, int lockId) {
    var timeline = continuity.timeline(session); // before the row: that one must be on it
    forgetIdle(session);
    return session
        .first(
            INSERT,
            columns -> {
              clock.read(columns, 2);
              return new Member(joining.node(), columns.getInt(1), lockId, timeline);
            },
            joining.node(),
            joining.host(),
            joining.isClient(),
            lockId,
            joining.codes().toArray(String[]::new),
            joining.workflows().toArray(String[]::new),
            joining.lease().toMillis())
        .orElseThrow(() -> new Fenced("node %s was here before".formatted(joining.node())));
  }

  static final String RETIRE = "UPDATE nodes SET codes = NULL WHERE node = ?";

  /** The node takes no runs from now on. */
  void retire(Session session, UUID node) {
    session.update(RETIRE, node);
  }

  static final String CODES =
      "SELECT DISTINCT unnest(codes) FROM nodes WHERE NOT fenced AND codes IS NOT NULL";

  /** What the code is of the nodes that take runs. */
  Set<String> codes(Session session) {
    return Set.copyOf(session.list(CODES, columns -> columns.getString(1)));
  }

  /** One that others have fenced already did not go by itself. */
  static final String LEAVE =
      """
      UPDATE nodes
         SET fenced = true, left_at = CASE WHEN fenced THEN left_at ELSE clock_timestamp() END
       WHERE node = ?
      """;

  static final String FORGET_CLIENT = "DELETE FROM nodes WHERE node = ? AND client AND fenced";

  /**
   * Fences a node that goes. Its row goes when nobody names it any more, that of a client at once:
   * it never owned anything, and knows what became of its last batch.
   */
  void leave(Session session, UUID node) {
    session.update(LEAVE, node);
    session.update(FORGET_CLIENT, node);
    forgetIdle(session);
  }

  static final String FENCE_SEEN =
      "UPDATE nodes SET fenced = true WHERE node = ? AND commit_seq = ? AND NOT fenced";

  /** Waits for a batch of the node, but not for ever: it may be frozen in the middle of it. */
  boolean fence(Session session, NodeRow seen) {
    try {
      return fenceNow(session, seen);
    } catch (StoreUnavailable failure) {
      if (PostgresErrors.isForbidden(failure)) complain(seen, failure);
      boolean isWaiting = PostgresErrors.isLockTimeout(failure);
      if (!isWaiting || (seen.isPresent() && !seen.isLeaseOver())) throw failure;
      session.list(END_BATCH, columns -> columns.getBoolean(1), seen.node());
      return fenceAtLast(session, seen);
    }
  }

  private static boolean fenceAtLast(Session session, NodeRow seen) {
    try {
      return fenceNow(session, seen);
    } catch (StoreUnavailable failure) {
      if (PostgresErrors.isLockTimeout(failure)) complain(seen, failure);
      throw failure;
    }
  }

  private static void complain(NodeRow seen, StoreUnavailable failure) {
    LOG.atWarn()
        .setCause(Texts.shown(failure))
        .addKeyValue("node", seen.node())
        .log(
            "the node on {} is silent, and its connection does not end: let all engines use the"
                + " same database user, or its runs cannot be taken over",
            Texts.shown(seen.host()));
  }

  private static boolean fenceNow(Session session, NodeRow seen) {
    return session.inTransaction(
        () -> {
          session.execute("SET LOCAL lock_timeout = '1s'");
          return session.update(FENCE_SEEN, seen.node(), seen.sequence()) == 1;
        });
  }

  /** Ends the connection that has written to the row of the node and has not committed yet. */
  static final String END_BATCH =
      """
      SELECT pg_terminate_backend(pid)
        FROM pg_locks
       WHERE locktype = 'transactionid' AND granted AND pid <> pg_backend_pid()
         AND transactionid = (SELECT xmax FROM nodes WHERE node = ?)
      """;

  static final String LOCK_GONE =
      """
      SELECT node_key
        FROM nodes
       WHERE (fenced AND lease_until < clock_timestamp() - interval '1 day')
          OR (client AND lease_until < clock_timestamp() - interval '1 minute'
              AND NOT EXISTS (
                    SELECT 1 FROM pg_locks
                     WHERE locktype = 'advisory' AND objsubid = 2 AND granted
                       AND classid::bigint = ? AND objid::bigint = lock_id
                       AND database = (SELECT oid FROM pg_database
                                        WHERE datname = current_database())))
         FOR UPDATE SKIP LOCKED
      """;

  static final String FORGET_IDLE =
      """
      DELETE FROM nodes
       WHERE node_key = ANY (?::int[])
         AND NOT EXISTS (
               SELECT 1 FROM runs WHERE runs.owner = nodes.node_key AND runs.status = 'RUNNING')
      """;

  /**
   * Removes nodes that are long gone and own nothing. For a day a row is the receipt of the node's
   * last batch, for a process that comes back from far away. Locks them first and looks at the runs
   * then: a claim that is being committed has the row, or sees that it is gone.
   */
  private static void forgetIdle(Session session) {
    session.inTransaction(
        () -> {
          var gone = session.list(LOCK_GONE, columns -> columns.getInt(1), (long) LOCKS);
          if (gone.isEmpty()) return 0;
          return session.update(FORGET_IDLE, gone.stream().mapToInt(key -> key).toArray());
        });
  }

  /** A lock says nothing if its role may not write here and cannot become one that may. */
  static final String NODES =
      """
      WITH held AS MATERIALIZED (
        SELECT objid::bigint AS lock_id
          FROM pg_locks
          JOIN pg_stat_activity USING (pid)
         WHERE locktype = 'advisory' AND classid::bigint = ? AND objsubid = 2 AND granted
           AND database = datid AND datname = current_database()
           AND (has_table_privilege(usesysid, 'nodes', 'UPDATE')
                OR EXISTS (
                     SELECT 1
                       FROM pg_roles
                      WHERE pg_has_role(usesysid, pg_roles.oid, 'MEMBER')
                        AND has_table_privilege(pg_roles.oid, 'nodes', 'UPDATE')))
      )
      SELECT node, host, client, joined_at, (extract(epoch FROM lease) * 1000)::bigint, lease_until,
             clock_timestamp() > lease_until,
             lock_id IN (SELECT lock_id FROM held), fenced, commit_seq, left_at IS NOT NULL,
             workflows
        FROM nodes
       ORDER BY node_key
      """;

  List<NodeRow> nodes(Session session) {
    return session.list(NODES, PostgresNodes::node, (long) LOCKS);
  }

  private static NodeRow node(ResultSet columns) throws SQLException {
    return new NodeRow(
        columns.getObject(1, UUID.class),
        columns.getString(2),
        columns.getBoolean(3),
        PostgresTimes.instant(columns, 4),
        Duration.ofMillis(columns.getLong(5)),
        PostgresTimes.instant(columns, 6),
        columns.getBoolean(7),
        columns.getBoolean(8),
        columns.getBoolean(9),
        columns.getLong(10),
        columns.getBoolean(11),
        names(columns.getArray(12)));
  }

  private static @Nullable List<String> names(@Nullable Array names) throws SQLException {
    return names == null ? null : List.of((String[]) names.getArray());
  }
}
