package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.testkit.contract.TestNode;
import dev.reprise.testpostgres.PostgresServer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store whose connection is lost while a batch is being committed. */
abstract class LostAnswers {
  final TestDatabase database = TestDatabase.create();
  final ExecutorService thread = Executors.newSingleThreadExecutor();
  SilentProxy proxy;
  Store store;
  TestNode node;

  @BeforeEach
  void open() throws Exception {
    var server = PostgresServer.shared();
    proxy = new SilentProxy(server.host(), server.port());
    var address = server.host() + ":" + server.port();
    store = TestDatabase.open(database.url().replace(address, "127.0.0.1:" + proxy.port()));
    node = TestNode.join(store);
  }

  @AfterEach
  void end() throws Exception {
    thread.shutdownNow();
    store.close();
    proxy.close();
  }

  /** Commits, and loses the answer. */
  Batch lose(Batch batch) {
    return lose(batch, "");
  }

  Batch lose(Batch batch, String answerTo) {
    proxy.swallowAnswerTo(answerTo);
    assertThatThrownBy(() -> store.commit(batch)).isInstanceOf(StoreUnavailable.class);
    proxy.swallowAnswerTo(null);
    return batch;
  }

  /** Ends its connection while the server is at work on it. */
  void cutOff(Batch batch) throws Exception {
    try (var blocker = database.connect()) {
      blocker.setAutoCommit(false);
      blocker.createStatement().execute("LOCK TABLE events IN EXCLUSIVE MODE");
      var first = thread.submit(() -> store.commit(batch));
      TestDatabase.await("batch waits", () -> database.isWaitingForLock("reprise-journal"));
      database.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'reprise-journal'
          """);
      assertThatThrownBy(first::get).hasCauseInstanceOf(StoreUnavailable.class);
      blocker.rollback();
    }
  }
}
