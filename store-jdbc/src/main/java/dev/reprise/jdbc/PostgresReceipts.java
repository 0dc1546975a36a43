package dev.reprise.jdbc;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.jdbc.Member.Receipt;
import dev.reprise.jdbc.Member.Receipt.OfEvent;
import dev.reprise.jdbc.Member.Receipt.OfNode;
import dev.reprise.jdbc.Member.Try;
import dev.reprise.jdbc.Member.Unknown;
import dev.reprise.jdbc.SegmentCommit.Found;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds out what became of a batch whose answer was lost. */
final class PostgresReceipts {

  /** The lock waits until the connection on which the batch was sent is done with it. */
  static final String RECEIPT =
      "SELECT commit_seq, batch, fenced FROM nodes WHERE node_key = ? FOR NO KEY UPDATE";

  /** Reads the receipt without waiting for a lock. */
  static final String LAST =
      "SELECT commit_seq, batch, fenced FROM nodes WHERE node_key = ? AND node = ?";

  private record Row(long sequence, @Nullable UUID batch, boolean isFenced) {}

  /** The outcomes if it was committed; empty if it was not, and may be tried again. */
  Optional<List<Outcome>> outcomes(Session session, Member member, Unknown unknown) {
    var found =
        row(session, member)
            .orElseThrow(() -> new Fenced("node %s is forgotten".formatted(member.node)));
    var stored =
        unknown.tries().stream()
            .filter(tried -> isThere(session, member, found, tried.receipt()))
            .findFirst();
    if (stored.isPresent()) { // also if the node was fenced since
      member.sequence = found.sequence();
      member.last = stored.get().receipt();
      return stored.map(tried -> outcomes(session, member, tried));
    }
    if (found.isFenced() || found.sequence() != member.sequence) {
      throw new Fenced("node %s, at batch %d".formatted(member.node, found.sequence()));
    }
    return Optional.empty();
  }

  private static Optional<Row> row(Session session, Member member) {
    return session.first(RECEIPT, PostgresReceipts::row, member.key);
  }

  private static Row row(ResultSet columns) throws SQLException {
    return new Row(columns.getLong(1), columns.getObject(2, UUID.class), columns.getBoolean(3));
  }

  private static boolean isThere(Session session, Member member, Row found, Receipt receipt) {
    return switch (receipt) {
      case OfNode(var batch) ->
          found.sequence() == member.sequence + 1 && batch.equals(found.batch());
      case OfEvent(var run, var event) -> isThere(session, run, event);
    };
  }

  private static boolean isThere(Session session, long run, EventRow event) {
    return new PostgresReader(session)
        .history(run, event.index(), 1).stream().anyMatch(there -> isSame(there, event));
  }

  /**
   * Whether the database has the last batch of the node that was acknowledged. The row may be one
   * batch ahead, by one whose answer was lost. An event may be missing because its run was deleted
   * as an old one; then the answer is false all the same, which costs a new join and nothing else.
   */
  boolean hasLast(Session session, Member member) {
    var found = session.first(LAST, PostgresReceipts::row, member.key, member.node);
    if (found.isEmpty() || found.get().sequence() < member.sequence) return false;
    return switch (member.last) {
      case null -> true;
      case OfNode(var batch) ->
          found.get().sequence() > member.sequence || batch.equals(found.get().batch());
      case OfEvent(var run, var event) -> isThere(session, run, event);
    };
  }

  private static boolean isSame(EventRow one, EventRow other) {
    return one.index() == other.index()
        && one.type() == other.type()
        && PostgresTimes.micros(one.at()) == PostgresTimes.micros(other.at())
        && Arrays.equals(one.attributes(), other.attributes())
        && Arrays.equals(one.value(), other.value());
  }

  static final String RUN_STATES =
      """
      SELECT run_key, closed_at IS NULL, status = 'RUNNING' AND owner = ?
        FROM runs
       WHERE run_key = ANY (?::bigint[])
      """;

  /**
   * As long as the node is not fenced, nobody else has written to its runs, and they are as the
   * batch left them. If it is, another node may have ended a run since: which is what it is told.
   */
  private static List<Outcome> outcomes(Session session, Member member, Try tried) {
    var segment = tried.segment();
    if (segment != null) {
      var known = new HashSet<Long>();
      var open = new HashSet<Long>();
      var begun = new HashSet<Long>();
      session.list(
          RUN_STATES,
          columns -> {
            if (columns.getBoolean(2)) open.add(columns.getLong(1));
            if (columns.getBoolean(3)) begun.add(columns.getLong(1));
            return known.add(columns.getLong(1));
          },
          member.key,
          segment.openQuestions().stream().mapToLong(Long::longValue).toArray());
      var duplicates = segment.starts().duplicates(session, known);
      segment.conclude(new Found(known, duplicates, begun, open, without(known, open)));
    }
    return List.of(tried.outcomes());
  }

  private static Set<Long> without(Set<Long> all, Set<Long> some) {
    var rest = new HashSet<>(all);
    rest.removeAll(some);
    return rest;
  }
}
