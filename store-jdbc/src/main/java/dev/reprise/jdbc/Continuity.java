package dev.reprise.jdbc;

import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database still has what was acknowledged to this node. A standby that is promoted may
 * lack what was committed last, and so does a copy that was restored. A node that went on there
 * would leave gaps in histories, and own runs that another node owns too. See ADR 0027.
 *
 * <p>Two rules. The server's <em>timeline</em> must be the one on which the node joined: PostgreSQL
 * begins a new one with each promotion. And the last batch that was acknowledged must be there: the
 * log of the server is lost from its end only, so that one stands for all before it.
 */
final class Continuity {
  /** Of a server that does not say which timeline it is on. */
  private static final String UNKNOWN = "";

  private final PostgresReceipts receipts;

  /** By the connection itself, which leads to one server for as long as it lives. */
  private final Map<Object, String> timelines = new WeakHashMap<>();

  Continuity(PostgresReceipts receipts) {
    this.receipts = receipts;
  }

  /** The name of a file of the log begins with the timeline. There is none while it recovers. */
  static final String TIMELINE =
      """
      SELECT CASE WHEN pg_is_in_recovery() THEN NULL
                  ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END
      """;

  /** The timeline of the server at the other end, asked once for each connection. */
  String timeline(Session session) {
    var known = known(session.identity());
    if (known != null) return known;
    var timeline = ask(session);
    synchronized (this) {
      timelines.put(session.identity(), timeline);
    }
    return timeline;
  }

  private synchronized @Nullable String known(Object connection) {
    return timelines.get(connection);
  }

  private static String ask(Session session) {
    try {
      return session
          .list(TIMELINE, columns -> Optional.ofNullable(columns.getString(1)))
          .getFirst()
          .orElseThrow(() -> standby(session));
    } catch (StoreUnavailable failure) {
      if (PostgresErrors.isForbidden(failure) || PostgresErrors.isNotThere(failure)) return UNKNOWN;
      throw failure;
    }
  }

  /**
   * A connection to a standby is of no use, and it must not be kept until the server is promoted.
   */
  private static StoreUnavailable standby(Session session) {
    session.giveUp();
    return new StoreUnavailable(
        "the server is a standby: it takes writes only after its promotion", null);
  }

  /**
   * To be asked before anything is written for the node on a connection.
   *
   * @throws Fenced if that leads to a server that may lack what was committed last
   */
  void check(Session session, Member member) {
    var now = timeline(session);
    if (now.equals(member.timeline)) return;
    throw new Fenced(
        """
        node %s joined a server on timeline %s and finds one on timeline %s: a standby has become \
        the primary, and may lack what was committed last\
        """
            .formatted(member.node, shown(member.timeline), shown(now)));
  }

  private static String shown(String timeline) {
    return timeline.equals(UNKNOWN) ? "unknown" : timeline;
  }

  /** What is to be done before the first batch on a connection: why there must be none. */
  Optional<Fenced> loss(Session session, Member member) {
    try {
      check(session, member);
    } catch (Fenced fenced) {
      return Optional.of(fenced);
    }
    // On connections of a pool each batch is numbered in the row of the node, which shows the rest.
    if (!session.isOurs() || receipts.hasLast(session, member)) return Optional.empty();
    return Optional.of(
        new Fenced(
            "the last batch of node %s was committed, and the database has not got it: it was"
                    .formatted(member.node)
                + " restored, or a standby became the primary"));
  }
}
