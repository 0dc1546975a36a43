package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TestNode;
import dev.reprise.testpostgres.PostgresServer;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A standby becomes the primary. It has everything here, and a node cannot know that. */
class PostgresPromotionTest {
  private final PostgresServer primary = PostgresServer.start();
  private final PostgresServer standby = primary.standby(primary.port());
  private final String url = primary.createDatabase();

  @BeforeEach
  void beSynchronous() {
    primary.waitForStandby(true);
  }

  @AfterEach
  void end() {
    primary.close();
    standby.close();
  }

  private String bothFrom(int port) {
    var hosts = "//127.0.0.1:%d,127.0.0.1:%d/".formatted(port, standby.port());
    return url.replaceFirst("//[^/]*/", hosts) + "&targetServerType=primary";
  }

  private void promote() {
    primary.kill();
    standby.promote();
  }

  @Test
  void a_node_neither_writes_nor_claims_there_and_another_one_does() {
    try (var store = TestDatabase.open(bothFrom(primary.port()))) {
      isStrangeThere(store);
    }
  }

  @Test
  void it_is_so_with_a_pool_too() {
    var source = new PGSimpleDataSource();
    source.setUrl(bothFrom(primary.port()));
    try (var store = new PostgresProvider().open(source, TestDatabase.ENGINE).orElseThrow()) {
      isStrangeThere(store);
    }
  }

  private void isStrangeThere(Store store) {
    var node = TestNode.join(store);
    long run = node.start("order-7");
    node.commitBriefly(append(run, 2, 2));
    assertThat(node.claim(Rows.NOON)).isEmpty();

    promote();

    assertFenced(() -> node.claim(Rows.NOON));
    var event = append(run, 3, 3);
    assertFenced(() -> node.commitBriefly(event));
    store.leave(node.id());
    var next = TestNode.join(store);
    assertThat(next.claim(Rows.NOON)).containsExactly("order-7");
    assertThat(next.commitBriefly(append(run, 3, 3))).containsExactly(Outcome.STORED);
    assertThat(next.history(run)).hasSize(3);
  }

  /** As soon as there is a connection. */
  private static void assertFenced(Supplier<Object> work) {
    TestDatabase.await(
        "a connection",
        () -> {
          try {
            throw new AssertionError("not fenced: " + work.get());
          } catch (StoreUnavailable broken) {
            return false;
          } catch (Fenced fenced) {
            assertThat(fenced).hasMessageContaining("timeline 00000002");
            return true;
          }
        });
  }

  @Test
  void a_batch_whose_answer_was_lost_counts_there_and_is_the_last() throws Exception {
    try (var proxy = new SilentProxy("127.0.0.1", primary.port());
        var store = TestDatabase.open(bothFrom(proxy.port()))) {
      var node = TestNode.join(store);
      long run = node.start("order-7");
      var batch = node.briefBatch(append(run, 2, 2));
      proxy.swallowAnswerTo("");
      assertThatThrownBy(() -> store.commit(batch)).isInstanceOf(StoreUnavailable.class);

      promote();

      proxy.close();
      TestDatabase.await("a connection", () -> isStored(store, batch));
      var next = new Store.Batch(node.id(), batch.sequence() + 1, batch.transitions(), false);
      assertThatThrownBy(() -> store.commit(next)).isInstanceOf(Fenced.class);
      assertThat(node.history(run)).hasSize(2);
    }
  }

  private static boolean isStored(Store store, Store.Batch batch) {
    try {
      return store.commit(batch).equals(List.of(Outcome.STORED));
    } catch (StoreUnavailable away) {
      return false;
    }
  }
}
