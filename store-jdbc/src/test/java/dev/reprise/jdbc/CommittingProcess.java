package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;

import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TestNode;
import java.nio.file.Path;

/** Commits until it is killed, and says what was acknowledged. */
final class CommittingProcess {
  private CommittingProcess() {}

  /** The three batches of a run: it starts, it gets a signal, it closes over it and another starts. */
  public static void main(String... arguments) {
    var store = SqliteStore.open(Path.of(arguments[0]), new Options(true, false));
    var node = TestNode.join(store);
    int first = store.list(dev.reprise.ListQuery.all().limit(1)).size();
    System.out.println("ready " + first);
    for (int i = 0; ; i++) {
      var run = node.run("%s-%d".formatted(arguments[1], i));
      node.store(new Start(run, event(1)), append(run.key(), 2, 20));
      System.out.println("started " + run.workflowId());
      node.store(signal(run.key(), "1"), append(run.key(), 21, 30));
      System.out.println("signalled " + run.workflowId());
      var waiting = store.inputs(run.key()).getFirst().id();
      node.store(
          dev.reprise.testkit.contract.Rows.consume(
              run.key(),
              31,
              java.util.List.of(waiting),
              dev.reprise.testkit.contract.Rows.completed()));
      System.out.println("closed " + run.workflowId());
    }
  }
}
