package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;

import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TestNode;
import java.nio.file.Path;

/**
 * Runs one workflow after the other until it is killed, and says after each commit how long the
 * history is then: "order-7 20".
 */
final class CommittingProcess {
  static final int STARTED = 20;
  static final int SIGNALLED = 100;
  static final int CLOSED = 101;

  private CommittingProcess() {}

  public static void main(String... arguments) {
    var store = SqliteStore.open(Path.of(arguments[0]), new Options(true, false));
    var node = TestNode.join(store);
    for (int i = 0; ; i++) run(store, node, arguments[1] + "-" + i);
  }

  private static void run(Store store, TestNode node, String workflowId) {
    var row = node.run(workflowId);
    long run = row.key();

    node.store(new Start(row, event(1)), append(run, 2, STARTED));
    System.out.println(workflowId + " " + STARTED);

    node.store(signal(run, "1"), append(run, STARTED + 1, SIGNALLED));
    System.out.println(workflowId + " " + SIGNALLED);

    var inputs = store.inputs(run).stream().map(InputRow::id).toList();
    node.store(consume(run, CLOSED, inputs, completed()));
    System.out.println(workflowId + " " + CLOSED);
  }
}
