package dev.reprise.jdbc;

/**
 * The right to write for a node without a look at its row: the row names the connection that has
 * it, and the node was not fenced when that was written. Fencing the node ends that connection
 * first, in the database itself ({@code V010__writer_of_its_role.sql}). See ADR 0025 and ADR 0028.
 *
 * <p>When a connection has it, the one before has ended: what that one sent is committed by now, or
 * never will be.
 */
final class Pen {
  private Pen() {}

  static final String TAKE = "SELECT reprise_take_pen(?::int, ?::uuid), pg_backend_pid()";

  static final String DROP =
      """
      UPDATE nodes
         SET writer_pid = 0, writer_since = NULL
       WHERE node_key = ? AND node = ? AND writer_pid = pg_backend_pid()
      """;

  /** Whether this connection has it. */
  static boolean isHeld(Session session, Member member) {
    return session.pens().contains(member.node);
  }

  /** Whether this connection has it now. One that is not our own never does. */
  static boolean take(Session session, Member member) {
    if (!session.isOurs()) return false;
    boolean mayWrite =
        session
            .first(
                TAKE, columns -> session.checked(columns, 2).getBoolean(1), member.key, member.node)
            .orElse(false);
    if (mayWrite) session.pens().add(member.node);
    return mayWrite;
  }

  /** Nothing more is written for the node by this connection. */
  static void drop(Session session, Member member) {
    if (session.pens().remove(member.node)) session.update(DROP, member.key, member.node);
  }
}
