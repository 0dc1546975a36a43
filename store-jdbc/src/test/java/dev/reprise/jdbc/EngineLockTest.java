package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.TestNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One engine at a time. */
class EngineLockTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void chooseFile() {
    file = folder.resolve("orders.db");
  }

  private Store open() {
    return SqliteStore.open(file, new Options(true, false));
  }

  private static void assertInUse(Store store) {
    assertThatThrownBy(() -> TestNode.join(store))
        .isInstanceOfSatisfying(
            RepriseException.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.R117))
        .hasMessageContaining("orders.db");
  }

  @Test
  void a_second_engine_in_the_same_process_is_refused() {
    try (var first = open();
        var second = open()) {
      var node = TestNode.join(first);

      assertInUse(second);
      node.start("order-7");
    }
  }

  @Test
  void another_name_of_the_file_is_the_same_file() throws IOException {
    try (var first = open()) {
      TestNode.join(first);
      file = Files.createSymbolicLink(folder.resolve("link.db"), file);

      try (var second = open()) {
        assertInUse(second);
      }
    }
  }

  @Test
  void a_second_engine_may_join_when_the_first_has_left() {
    try (var first = open();
        var second = open()) {
      var node = TestNode.join(first);
      first.leave(node.id());

      TestNode.join(second).start("order-7");
    }
  }

  @Test
  void an_engine_that_comes_back_knows_what_was_written_meanwhile() {
    try (var first = open();
        var second = open()) {
      var node = TestNode.join(first);
      long run = node.start("order-7");
      first.leave(node.id());
      var other = TestNode.join(second);
      other.store(close(run, 2));
      second.leave(other.id());

      var outcomes = TestNode.join(first).commit(append(run, 3, 3));

      assertThat(outcomes).containsExactly(Outcome.NOT_OPEN);
    }
  }

  @Test
  void a_second_engine_may_join_when_the_first_is_closed() {
    try (var first = open()) {
      TestNode.join(first).start("order-7");
    }

    try (var second = open()) {
      TestNode.join(second).start("order-8");
    }
  }

  @Test
  void another_process_is_refused_and_told_by_whom() throws Exception {
    try (var first = open();
        var second = open()) {
      TestNode.join(first);
      assertInUse(second); // must not have given the lock away

      var answer = answerOf(ChildProcess.start(JoiningProcess.class, file.toString()));

      assertThat(answer).startsWith("R117").contains("process " + ProcessHandle.current().pid());
    }
  }

  @Test
  void a_killed_process_does_not_keep_the_file() throws Exception {
    var process = ChildProcess.start(JoiningProcess.class, file.toString());
    try (var store = open()) {
      assertThat(answerOf(process)).isEqualTo("joined");
      assertInUse(store);

      process.destroyForcibly().waitFor();

      TestNode.join(store).start("order-7");
    } finally {
      process.destroyForcibly();
    }
  }

  private static String answerOf(Process process) throws IOException {
    return process.inputReader().readLine();
  }
}
