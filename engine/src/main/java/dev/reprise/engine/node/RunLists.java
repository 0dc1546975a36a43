package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.RunPage;
import dev.reprise.Status;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.filter.RunCursor;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.RunRow;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds runs by filters, for clients. */
record RunLists(Incarnations nodes) {
  private static final int PAGE = 1_000; // of held runs that are resumed: one answer in memory
  private static final Filter HELD =
      new Filter.InStatus(Set.of(Status.BLOCKED, Status.COMPENSATION_FAILED));

  /** One more than wanted is read, which tells whether there is a next page. */
  RunPage page(ListQuery query) {
    long before = RunCursor.key(query.cursor());
    var rows =
        nodes.call(
            node -> {
              var filter = Filter.of(query, node.now());
              return node.read(() -> node.store().list(filter, before, query.limit() + 1));
            });
    return HistoryView.page(rows, query.limit());
  }

  long count(String filter) {
    return nodes.call(
        node -> {
          var wanted = Filter.parse(filter, node.now());
          return node.read(() -> node.store().count(wanted));
        });
  }

  Map<String, Long> countBy(String filter, String field) {
    var grouping = Grouping.of(field);
    return nodes.call(
        node -> {
          var wanted = Filter.parse(filter, node.now());
          return node.read(() -> node.store().countBy(wanted, grouping));
        });
  }

  /** Page by page downwards, so that a run that is held again at once does not come back. */
  int resumeHeld(String filter) {
    var wanted = Filter.and(List.of(HELD, Filter.parse(filter, nodes.current().now())));
    int resumed = 0;
    long before = Long.MAX_VALUE;
    List<RunRow> rows;
    do {
      long from = before;
      rows = nodes.call(node -> node.read(() -> node.store().list(wanted, from, PAGE)));
      for (var row : rows) if (resume(row.workflowId())) resumed++;
      if (!rows.isEmpty()) before = rows.getLast().key();
    } while (rows.size() == PAGE);
    return resumed;
  }

  /** One that has been closed or deleted meanwhile needs no help. */
  private boolean resume(String workflowId) {
    try {
      var requester = nodes.machine().name();
      return nodes.call(node -> node.control().resume(workflowId, requester));
    } catch (RepriseException closed) {
      if (closed.code() == ErrorCode.R113 || closed.code() == ErrorCode.R114) return false;
      throw closed;
    }
  }
}
