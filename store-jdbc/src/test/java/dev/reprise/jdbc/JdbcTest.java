package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.TransitionRefused;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left after an error: nothing of the transaction, and a connection that works. */
class JdbcTest {
  private static final String INSERT = "INSERT INTO letters (id, text) VALUES (?, ?)";

  @TempDir private Path folder;
  private SqliteFile file;
  private Jdbc jdbc;

  @BeforeEach
  void open() {
    file = SqliteFile.at(folder.resolve("letters.db"));
    jdbc = file.writer();
    jdbc.execute("CREATE TABLE letters (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
  }

  @AfterEach
  void close() {
    jdbc.close();
  }

  private int insert(int id, Object text) {
    return jdbc.inTransaction(() -> jdbc.update(INSERT, id, text));
  }

  private int count() {
    return jdbc.first("SELECT count(*) FROM letters", columns -> columns.getInt(1)).orElseThrow();
  }

  @Test
  void a_commit_is_on_the_disk_when_it_returns() {
    assertThat(jdbc.list("PRAGMA synchronous", columns -> columns.getInt(1))).containsExactly(2);
    assertThat(jdbc.list("PRAGMA journal_mode", columns -> columns.getString(1)))
        .containsExactly("wal");
  }

  @Test
  void a_full_disk_is_unavailable_until_there_is_space() {
    insert(1, "a");
    jdbc.list("PRAGMA max_page_count = 4", columns -> columns.getInt(1));
    var large = "x".repeat(100_000);

    assertThatThrownBy(() -> insert(2, large)).isInstanceOf(StoreUnavailable.class);
    assertThat(count()).isEqualTo(1);

    jdbc.list("PRAGMA max_page_count = 1000", columns -> columns.getInt(1));
    insert(2, large);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void data_that_breaks_a_rule_is_refused() {
    insert(1, "a");

    assertThatThrownBy(() -> insert(1, "b")).isInstanceOf(TransitionRefused.class);
    assertThatThrownBy(() -> insert(2, null)).isInstanceOf(TransitionRefused.class);
    assertThatThrownBy(() -> insert(2, new byte[1])).isInstanceOf(TransitionRefused.class);

    insert(2, "b");
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void a_failed_transaction_leaves_nothing() {
    assertThatThrownBy(
            () ->
                jdbc.inTransaction(
                    () -> {
                      jdbc.update(INSERT, 1, "a");
                      throw new IllegalStateException("half-way");
                    }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(count()).isZero();
    insert(1, "a");
  }

  /** As if the heap were full: the lock on the file must not stay with what was begun. */
  @Test
  void an_error_inside_a_transaction_leaves_nothing_and_locks_nobody_out() throws Exception {
    assertThatThrownBy(
            () ->
                jdbc.inTransaction(
                    () -> {
                      jdbc.update(INSERT, 1, "a");
                      throw new OutOfMemoryError("thrown by the test");
                    }))
        .isInstanceOf(OutOfMemoryError.class);

    insert(1, "b"); // begins a transaction of its own
    try (var other = DriverManager.getConnection("jdbc:sqlite:" + file.path());
        var statement = other.createStatement()) {
      statement.execute("INSERT INTO letters (id, text) VALUES (2, 'c')");
    }
    assertThat(jdbc.list("SELECT text FROM letters ORDER BY id", columns -> columns.getString(1)))
        .containsExactly("b", "c");
  }

  @Test
  void a_file_that_somebody_else_writes_is_unavailable_for_that_time() throws Exception {
    try (var other = DriverManager.getConnection("jdbc:sqlite:" + file.path());
        var statement = other.createStatement()) {
      jdbc.execute("PRAGMA busy_timeout = 0");
      statement.execute("BEGIN IMMEDIATE");

      assertThatThrownBy(() -> insert(1, "a")).isInstanceOf(StoreUnavailable.class);

      statement.execute("ROLLBACK");
      insert(1, "a");
    }
  }
}
