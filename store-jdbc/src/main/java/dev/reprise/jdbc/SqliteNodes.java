package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Joining;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The rows of {@code nodes}: who may write, and who could. */
final class SqliteNodes {
  private final Jdbc jdbc;
  private @Nullable Joined joined;

  private record Joined(UUID node, long key) {}

  SqliteNodes(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  static final String FENCE_ALL = "UPDATE nodes SET fenced = 1 WHERE fenced = 0";

  static final String FORGET_IDLE =
      """
      DELETE FROM nodes
       WHERE fenced = 1
         AND NOT EXISTS (
               SELECT 1 FROM runs WHERE runs.owner = nodes.node_key AND runs.status = 'RUNNING')
      """;

  static final String INSERT =
      """
      INSERT INTO nodes (node, host, joined_at, workflows)
      VALUES (?, ?, unixepoch() * 1000000, ?)
      RETURNING node_key
      """;

  /** Enters a node and fences all others. */
  void join(Joining joining) {
    var node = joining.node();
    var workflows = JsonMapper.shared().writeValueAsString(joining.workflows());
    joined =
        jdbc.inTransaction(
            () -> {
              jdbc.update(FENCE_ALL);
              jdbc.update(FORGET_IDLE);
              var key =
                  jdbc.first(
                      INSERT, columns -> columns.getLong(1), node, joining.host(), workflows);
              return new Joined(node, key.orElseThrow());
            });
  }

  /** One that the next one found did not go by itself. */
  static final String LEAVE =
      """
      UPDATE nodes
         SET fenced = 1, left_at = unixepoch() * 1000000
       WHERE node = ? AND fenced = 0
      """;

  /** Fences a node that goes. Its row goes when nobody names it any more. */
  void leave(UUID node) {
    if (isJoined(node)) joined = null;
    jdbc.inTransaction(() -> jdbc.update(LEAVE, node) + jdbc.update(FORGET_IDLE));
  }

  boolean isJoined(UUID node) {
    return joined != null && joined.node().equals(node);
  }

  static final String MAY_WRITE = "SELECT 1 FROM nodes WHERE node_key = ? AND fenced = 0";

  /**
   * Comes first in every transaction, which has the file to itself: nobody can be fenced between
   * this and the commit. So it is enough to read the row; to count the batches in it would write
   * one page more for each commit, and the outcome of a commit in this process is never unknown.
   */
  void checkFence(UUID node) {
    if (jdbc.first(MAY_WRITE, columns -> columns.getInt(1), keyOf(node)).isEmpty()) {
      throw new Fenced(
          ErrorCode.R117,
          "node %s may not write: another engine has taken the file over. Close this one"
              .formatted(node));
    }
  }

  static final String OTHERS = "SELECT node_key FROM nodes WHERE fenced = 1";

  /** Whose runs are free. */
  List<Long> fenced() {
    return jdbc.list(OTHERS, columns -> columns.getLong(1));
  }

  /** The number of the node that writes now. */
  long writing() {
    if (joined == null) throw new Fenced("no node has joined");
    return joined.key();
  }

  /** The number of the node, which must be the joined one. */
  long keyOf(UUID node) {
    if (joined == null || !joined.node().equals(node)) {
      throw new Fenced("node " + node + " has left or was superseded");
    }
    return joined.key();
  }
}
