package dev.reprise.jdbc;

import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.Trial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over runs that are due and nobody's.
 *
 * <p>Asks for the runs of each workflow, of no owner and of each fenced one, separately: so each
 * question is answered from the index in the order of being due and stops at the limit, however
 * many runs there are. Runs that another node is just taking over are passed by.
 */
final class PostgresClaims {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresClaims.class);

  private static final Comparator<RunRow> LONGEST_DUE_FIRST =
      Comparator.comparing(RunRow::wakeAt, Comparator.nullsLast(Instant::compareTo))
          .thenComparing(RunRow::key);

  List<RunRow> claim(Session session, Member member, Claim claim) {
    member.claiming.lock();
    try {
      var late = resolve(session, member);
      return late.isEmpty() ? claimNow(session, member, claim) : late;
    } finally {
      member.claiming.unlock();
    }
  }

  private static List<RunRow> claimNow(Session session, Member member, Claim claim) {
    return orIfBroken(
        () -> claimNow(session, member, claim, CLAIM),
        () ->
            orIfBroken(
                () -> claimNow(session, member, claim, CLAIM_UNREAD),
                () -> claimNow(session, member, claim, CLAIM_DUE)));
  }

  private static List<RunRow> orIfBroken(
      Supplier<List<RunRow>> claim, Supplier<List<RunRow>> otherwise) {
    try {
      return claim.get();
    } catch (StoreUnavailable failure) {
      if (!PostgresErrors.isDamage(failure)) throw failure;
      LOG.warn("{}: claiming runs without a look at that", failure.getMessage());
      return otherwise.get();
    }
  }

  private static List<RunRow> claimNow(Session session, Member member, Claim claim, String sql) {
    var claimed = new ArrayList<RunRow>();
    var placed = new HashMap<Long, Boolean>();
    try {
      session.inTransaction(() -> claimed.addAll(take(session, member, claim, sql, placed)));
    } catch (RuntimeException | Error failure) {
      if (session.isBroken()) member.unknownClaim = claimed;
      throw failure;
    }
    return owned(member, claimed, placed);
  }

  private static List<RunRow> owned(
      Member member, List<RunRow> claimed, Map<Long, Boolean> placed) {
    for (var run : claimed) member.own(run.key(), placed.getOrDefault(run.key(), false));
    return claimed;
  }

  static final String ARE_OURS =
      """
      SELECT run_key, owner, status = 'RUNNING', placed IS TRUE
        FROM runs
       WHERE run_key = ANY (?::bigint[])
         FOR SHARE
      """;

  /**
   * If the answer to a commit was lost, the runs may have been this node's since, without anybody
   * knowing them. The lock waits for the lost transaction to end, and shows what it left: so the
   * owner must not be a condition, which is looked at before the wait.
   */
  private static List<RunRow> resolve(Session session, Member member) {
    var lost = member.unknownClaim;
    if (lost.isEmpty()) return lost;
    var ours = new HashMap<Long, Boolean>();
    session.list(
        ARE_OURS,
        columns -> {
          boolean isOurs = columns.getInt(2) == member.key && columns.getBoolean(3);
          if (isOurs) ours.put(columns.getLong(1), columns.getBoolean(4));
          return isOurs;
        },
        (Object) lost.stream().mapToLong(RunRow::key).toArray());
    member.unknownClaim = List.of();
    return owned(member, lost.stream().filter(run -> ours.containsKey(run.key())).toList(), ours);
  }

  /**
   * Batches of the node do not wait for this lock, and the fence need not: what a fenced node takes
   * is free again. But the row must not go away as long as runs name it.
   */
  static final String MAY_CLAIM =
      "SELECT node_key FROM nodes WHERE node_key = ? AND NOT fenced FOR KEY SHARE";

  /**
   * A run that has recorded nothing since its last owner died counts one crash more; what that
   * means for suspects says {@link dev.reprise.engine.store.Suspicion}.
   */
  private static final String CLAIM_BY_SIZE =
      """
      WITH owners AS (
        SELECT 0 AS owner
        UNION ALL
        SELECT node_key
          FROM nodes
         CROSS JOIN LATERAL (
                 SELECT 1
                   FROM runs
                  WHERE owner = nodes.node_key AND status = 'RUNNING'
                  LIMIT 1) AS any_run
         WHERE fenced
      ), due AS (
        SELECT found.run_key, found.wake_at
          FROM owners
         CROSS JOIN unnest(?::text[]) AS wanted (workflow)
         CROSS JOIN LATERAL (
                 SELECT run_key, wake_at
                   FROM runs
                  WHERE status = 'RUNNING' AND owner = owners.owner AND workflow = wanted.workflow
                    AND wake_at <= timestamptz 'epoch' + ? * interval '1 microsecond'
                    AND (crashes >= 3) = ? AND run_key <> ALL (?::bigint[])
                  ORDER BY wake_at
                  LIMIT ?
                    FOR UPDATE SKIP LOCKED) AS found
      ), called AS (
        SELECT waiting.run_key
          FROM (SELECT DISTINCT run_key FROM inbox WHERE workflow = ANY (?::text[])) AS waiting
         CROSS JOIN LATERAL (
                 SELECT owner, wake_at, status, crashes
                   FROM runs
                  WHERE run_key = waiting.run_key
                 OFFSET 0) AS run
         WHERE run.status = 'RUNNING' AND (run.crashes >= 3) = ?
           AND waiting.run_key <> ALL (?::bigint[])
           AND run.owner IN (SELECT owner FROM owners)
         ORDER BY run.wake_at NULLS LAST
         LIMIT ?
      ), answering AS (
        SELECT run_key, wake_at
          FROM runs
         WHERE run_key = ANY (ARRAY(SELECT run_key FROM called))
           AND status = 'RUNNING' AND owner + 0 IN (SELECT owner FROM owners)
           FOR UPDATE OF runs SKIP LOCKED
      ), chosen AS (
        SELECT run_key
          FROM (SELECT run_key, wake_at FROM due UNION SELECT run_key, wake_at FROM answering) AS found
         ORDER BY wake_at NULLS LAST, run_key
         LIMIT ?
      )
      UPDATE runs
         SET owner = ?,
             (crashes, claimed_size) = (
               SELECT CASE WHEN owner = 0 THEN 0
                           WHEN SIZE > claimed_size THEN 1
                           WHEN crashes < 3 THEN crashes + 1
                           WHEN crashes = 3 THEN 4 + ?::int
                           WHEN crashes %% 4 = 1 THEN crashes + 3 + ?::int
                           ELSE crashes / 4 * 4 + 2 END, SIZE
                 OF_HISTORY)
       WHERE run_key = ANY (ARRAY(SELECT run_key FROM chosen))
      RETURNING %s, placed IS TRUE
      """
          .formatted(RunColumns.ALL);

  static final String CLAIM =
      CLAIM_BY_SIZE
          .replace("SIZE", "max(idx)")
          .replace("OF_HISTORY", "FROM events WHERE events.run_key = runs.run_key");

  /**
   * Does not look at histories, of which one lies on a broken page: a run counts as one that has
   * recorded nothing. So it gets an owner, who finds out which it is.
   */
  static final String CLAIM_UNREAD =
      CLAIM_BY_SIZE.replace("SIZE", "claimed_size").replace("OF_HISTORY", "");

  /** Nor at inputs, of which one lies on a broken page. */
  static final String CLAIM_DUE =
      CLAIM_UNREAD.replace(
          "SELECT DISTINCT run_key FROM inbox WHERE workflow = ANY (?::text[])",
          "SELECT 0::bigint AS run_key WHERE ?::text[] IS NULL");

  private static final int PLACED = 14;

  /**
   * What is taken is known here before it is committed: so nothing is lost if the answer to that
   * is.
   */
  private static List<RunRow> take(
      Session session, Member member, Claim claim, String sql, Map<Long, Boolean> placed) {
    var allowed = session.first(MAY_CLAIM, columns -> columns.getInt(1), member.key);
    if (allowed.isEmpty()) throw new Fenced("node %s may not claim".formatted(claim.node()));
    var workflows = claim.workflows().toArray(String[]::new);
    var except = claim.except().stream().mapToLong(key -> key).toArray();
    return session
        .list(
            sql,
            columns -> {
              placed.put(columns.getLong(1), columns.getBoolean(PLACED));
              return PostgresRows.run(columns, claim.node());
            },
            workflows,
            claim.until(),
            claim.suspects(),
            except,
            claim.limit(),
            workflows,
            claim.suspects(),
            except,
            claim.limit(),
            claim.limit(),
            member.key,
            inCompany(claim.trial()),
            inCompany(claim.trial()))
        .stream()
        .sorted(LONGEST_DUE_FIRST)
        .toList();
  }

  private static int inCompany(Trial trial) {
    return trial == Trial.IN_COMPANY ? 1 : 0;
  }

  static final String TRIED =
      """
      UPDATE runs
         SET crashes = crashes / 4 * 4 + ?
       WHERE run_key = ? AND owner = ? AND crashes > 3 AND crashes % 4 < 2
      """;

  static void tried(Session session, Member member, long run, Trial trial) {
    session.update(TRIED, inCompany(trial), run, member.key);
  }
}
