package dev.reprise.jdbc;

import dev.reprise.Texts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The advisory locks by which nodes show that their process lives. Any role that may connect to the
 * database can wait in line for such a lock, and has it when our connection breaks. Then the node
 * takes another lock and writes that into its row. See ADR 0028.
 *
 * <p>A lock is known by its first number. Belongs to one thread.
 */
final class PresenceLocks {
  private static final Logger LOG = LoggerFactory.getLogger(PresenceLocks.class);

  private final Map<Integer, Integer> moved = new HashMap<>();
  private final Set<Integer> unsure = new HashSet<>(); // the row may name another one

  static final String LOCK = "SELECT pg_try_advisory_lock_shared(?, ?)";
  static final String UNLOCK = "SELECT pg_advisory_unlock_shared(?, ?)";

  /** Ours are shared: only a stranger keeps us from one. False if it is to be tried again. */
  boolean take(Session session, UUID node, int lock) {
    int now = moved.getOrDefault(lock, lock);
    if (!unsure.contains(lock) && tryLock(session, now)) return true;
    return move(session, node, lock, now);
  }

  private static boolean tryLock(Session session, int lock) {
    return session
        .first(LOCK, columns -> columns.getBoolean(1), PostgresNodes.LOCKS, lock)
        .orElse(false);
  }

  static final String MOVE = "UPDATE nodes SET lock_id = ? WHERE node = ? AND NOT fenced";

  /**
   * The new lock is held before the row names it: the node is never without one to be seen by. If
   * the answer is lost nobody knows which one the row names, and the next attempt writes another.
   */
  private boolean move(Session session, UUID node, int lock, int taken) {
    int fresh = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
    if (!tryLock(session, fresh)) return false;
    unsure.add(lock);
    boolean isMoved = session.update(MOVE, fresh, node) > 0;
    unsure.remove(lock);
    if (!isMoved) { // it has not joined yet, or is fenced
      unlock(session, fresh);
      return false;
    }
    moved.put(lock, fresh);
    for (var stranger : strangers(session, taken)) {
      LOG.warn(
          "the advisory lock ({}, {}), by which this node shows that it lives, is held by another"
              + " connection: {}. The node has taken another lock. Find out who does that: only"
              + " engines need these locks",
          PostgresNodes.LOCKS,
          taken,
          Texts.shown(stranger.toString()));
    }
    return true;
  }

  static final String HOLDERS =
      """
      SELECT format('process id %s, user %s, application %L', pid, usename, application_name)
        FROM pg_locks
        JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND classid::bigint = ? AND objid::bigint = ? AND objsubid = 2
         AND granted AND database = datid AND datname = current_database()
      """;

  static List<String> strangers(Session session, int lock) {
    return session.list(
        HOLDERS, columns -> columns.getString(1), (long) PostgresNodes.LOCKS, (long) lock);
  }

  void drop(Session session, int lock) {
    unsure.remove(lock);
    var last = moved.remove(lock);
    unlock(session, last == null ? lock : last);
  }

  private static void unlock(Session session, int lock) {
    session.list(UNLOCK, columns -> 1, PostgresNodes.LOCKS, lock);
  }

  void dropAll(Session session) {
    session.execute("SELECT pg_advisory_unlock_all()");
  }
}
