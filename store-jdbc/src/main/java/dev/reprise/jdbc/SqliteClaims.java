package dev.reprise.jdbc;

import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Trial;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes over runs that are due and nobody's.
 *
 * <p>Asks for the runs of each workflow, of no owner and of each fenced one, separately: so each
 * question is answered from the index in the order of being due and stops at the limit, however
 * many runs there are.
 */
final class SqliteClaims {
  private static final Comparator<RunRow> LONGEST_DUE_FIRST =
      Comparator.comparing(RunRow::wakeAt, Comparator.nullsLast(Instant::compareTo))
          .thenComparing(RunRow::key);

  private final Jdbc jdbc;
  private final SqliteNodes nodes;

  SqliteClaims(Jdbc jdbc, SqliteNodes nodes) {
    this.jdbc = jdbc;
    this.nodes = nodes;
  }

  /**
   * A run that has recorded nothing since its last owner died counts one crash more; what that
   * means for suspects says {@link dev.reprise.engine.store.Suspicion}.
   */
  static final String OWN =
      """
      UPDATE runs
         SET crashes = CASE WHEN owner IS NULL THEN 0
                            WHEN size > claimed_size THEN 1
                            WHEN crashes < 3 THEN crashes + 1
                            WHEN crashes = 3 THEN 4 + ?3
                            WHEN crashes % 4 = 1 THEN crashes + 3 + ?3
                            ELSE crashes / 4 * 4 + 2 END,
             claimed_size = size,
             owner = ?1
        FROM (SELECT max(idx) AS size FROM events WHERE run_key = ?2)
       WHERE run_key = ?2
      RETURNING crashes
      """;

  List<RunRow> claim(Claim claim) {
    return jdbc.inTransaction(
        () -> {
          nodes.checkFence(claim.node());
          long node = nodes.keyOf(claim.node());
          var claimed =
              candidates(claim).stream()
                  .filter(run -> !claim.except().contains(run.key()))
                  .limit(claim.limit())
                  .toList();
          return claimed.stream().map(run -> own(node, run, claim.trial())).toList();
        });
  }

  private RunRow own(long node, RunRow run, Trial trial) {
    int crashes =
        jdbc.first(OWN, columns -> columns.getInt(1), node, run.key(), inCompany(trial))
            .orElseThrow();
    return run.withCrashes(crashes);
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

  void tried(UUID node, long run, Trial trial) {
    jdbc.inTransaction(() -> jdbc.update(TRIED, inCompany(trial), run, nodes.keyOf(node)));
  }

  private Collection<RunRow> candidates(Claim claim) {
    var workflows = JsonMapper.shared().writeValueAsString(claim.workflows());
    var found = new TreeSet<>(LONGEST_DUE_FIRST);
    for (var workflow : claim.workflows()) {
      found.addAll(due(null, workflow, claim));
      for (long dead : nodes.fenced()) found.addAll(due(dead, workflow, claim));
    }
    found.addAll(withInputs(workflows, claim));
    return found;
  }

  static final String DUE =
      """
      SELECT %s
        FROM runs
       WHERE status = 'RUNNING' AND owner IS ? AND wake_at <= ?
         AND workflow = ? AND (crashes >= 3) = ?
       ORDER BY wake_at
       LIMIT ?
      """
          .formatted(RunColumns.ALL);

  private List<RunRow> due(@Nullable Long owner, String workflow, Claim claim) {
    return claimable(
        DUE, claim, owner, claim.until(), workflow, claim.suspects() ? 1 : 0, upTo(claim));
  }

  static final String WITH_INPUTS =
      """
      SELECT %s
        FROM runs
       WHERE run_key IN (SELECT run_key FROM inbox)
         AND status = 'RUNNING' AND owner IS NOT ?
         AND workflow IN (SELECT value FROM json_each(?)) AND (crashes >= 3) = ?
       ORDER BY wake_at NULLS LAST
       LIMIT ?
      """
          .formatted(RunColumns.ALL);

  private List<RunRow> withInputs(String workflows, Claim claim) {
    return claimable(
        WITH_INPUTS,
        claim,
        nodes.keyOf(claim.node()),
        workflows,
        claim.suspects() ? 1 : 0,
        upTo(claim));
  }

  /** Those that are left to others may be found first. */
  private static int upTo(Claim claim) {
    return claim.limit() + claim.except().size();
  }

  /** One that cannot be read stays where it is, and those behind it are claimed. */
  private List<RunRow> claimable(String sql, Claim claim, @Nullable Object... parameters) {
    return Rows.present(
        jdbc.list(sql, Rows.readable(columns -> RunRows.read(columns, claim.node())), parameters));
  }
}
