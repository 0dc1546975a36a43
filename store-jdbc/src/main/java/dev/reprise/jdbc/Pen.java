package dev.reprise.jdbc;

/**
 * The right to write for a node without a look at its row: an advisory lock that one connection has
 * for as long as it lives, taken when the node was not fenced. Whoever fences the node takes it
 * away first, in the database itself ({@code V006__pen.sql}), if need be by ending the connection.
 * See ADR 0025.
 *
 * <p>When a connection has it, the one before has ended: what that one sent is committed by now, or
 * never will be.
 */
final class Pen {
  private Pen() {}

  static final String TAKE = "SELECT reprise_take_pen(?, ?)";

  static final String DROP = "SELECT pg_advisory_unlock(1383097710, ?)";

  /** Whether this connection has it now. One that is not our own never does. */
  static boolean take(Session session, Member member) {
    if (!session.isOurs()) return false;
    if (session.pens().contains(member.lockId)) return true;
    boolean mayWrite =
        session
            .first(TAKE, columns -> columns.getBoolean(1), member.key, member.lockId)
            .orElse(false);
    if (mayWrite) session.pens().add(member.lockId);
    return mayWrite;
  }

  /** Nothing more is written for the node by this connection. */
  static void drop(Session session, Member member) {
    if (!session.pens().remove(member.lockId)) return;
    session.list(DROP, columns -> columns.getBoolean(1), member.lockId);
  }
}
