package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.reprise.ErrorCode;
import dev.reprise.QueueLimits;
import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.TestNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A file that is taken away under an engine, or its lock; who may read it; where none can be. */
class SqliteLossTest {
  private static final Options ENGINE = new Options(true, false);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir private Path folder;
  private Path file;
  private Path lock;

  @BeforeEach
  void chooseFile() {
    file = folder.resolve("orders.db");
    lock = folder.resolve("orders.db.lock");
  }

  private Engine engine() {
    return Reprise.open("jdbc:sqlite:" + file)
        .workflow("echo", String.class, String.class, (_, in) -> in)
        .start();
  }

  /** How an operator loses a database. */
  enum Loss {
    DELETED {
      @Override
      void of(Path file) throws IOException {
        Files.delete(file);
      }
    },
    MOVED {
      @Override
      void of(Path file) throws IOException {
        Files.move(file, file.resolveSibling("moved.db"));
      }
    },
    REPLACED {
      @Override
      void of(Path file) throws IOException {
        var copy = Files.copy(file, file.resolveSibling("backup.db"));
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
      }
    };

    abstract void of(Path file) throws IOException;
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void a_file_that_is_lost_is_noticed_and_nothing_is_acknowledged_from_then_on(Loss loss)
      throws Exception {
    try (var log = new LogLines();
        var engine = engine()) {
      engine.start("echo", "order-1", "hello").result(LIMIT);
      loss.of(file);
      TestDatabase.await("the log has it", () -> log.with("ERROR", "R141", "orders.db") > 0);

      for (var call : new Call[] {this::start, this::describe, this::limit}) {
        assertThatThrownBy(() -> call.on(engine))
            .isInstanceOfSatisfying(
                RepriseException.class,
                error -> {
                  assertThat(error.code()).isEqualTo(ErrorCode.R141);
                  assertThat(error.isRetryable()).isFalse();
                })
            .hasMessageContaining("is not the file that this engine has open");
      }
    }
  }

  private interface Call {
    void on(Engine engine);
  }

  private void start(Engine engine) {
    engine.start("echo", "order-2", "hello");
  }

  private void describe(Engine engine) {
    engine.describe("order-1");
  }

  private void limit(Engine engine) {
    engine.limit("mail", QueueLimits.none());
  }

  @Test
  void an_engine_under_load_acknowledges_nothing_after_a_moment() throws Exception {
    try (var engine = engine()) {
      engine.start("echo", "order-0", "hello").result(LIMIT);
      Files.delete(file);
      var started = new AtomicInteger();
      long lost = System.nanoTime();

      TestDatabase.await("R141", () -> isRefused(engine, started.incrementAndGet()));

      assertThat(Duration.ofNanos(System.nanoTime() - lost)).isLessThan(LIMIT);
      for (int i = 0; i < 10; i++)
        assertThat(isRefused(engine, started.incrementAndGet())).isTrue();
    }
  }

  private static boolean isRefused(Engine engine, int number) {
    try {
      engine.start("echo", "more-" + number, "hello");
      return false;
    } catch (RepriseException refused) {
      return refused.code() == ErrorCode.R141;
    }
  }

  @Test
  void a_reader_of_a_deleted_file_is_not_given_what_was_there() throws Exception {
    try (var store = SqliteStore.open(file, ENGINE)) {
      TestNode.join(store).start("order-7");
    }
    try (var reader = SqliteStore.open(file, new Options(false, true))) {
      assertThat(reader.find("order-7")).isPresent();
      Files.delete(file);

      TestDatabase.await("it is noticed", () -> isLost(() -> reader.find("order-7")));
    }
  }

  private static boolean isLost(Runnable call) {
    try {
      call.run();
      return false;
    } catch (StoreUnavailable lost) {
      return lost.code() == ErrorCode.R141;
    }
  }

  // ---- the lock ---------------------------------------------------------------------------------

  @Test
  void a_lock_file_that_is_deleted_is_made_again() throws Exception {
    try (var store = SqliteStore.open(file, ENGINE)) {
      var node = TestNode.join(store);
      Files.delete(lock);
      TestDatabase.await("it is there again", () -> Files.exists(lock));
      TestDatabase.await("it is held", () -> hasPid(lock));

      var other = ChildProcess.start(JoiningProcess.class, file.toString());

      assertThat(other.inputReader().readLine()).startsWith("R117");
      node.start("order-7");
    }
  }

  private static boolean hasPid(Path lock) {
    try {
      return Files.size(lock) > 0; // to read it here would drop the lock of this process
    } catch (IOException gone) {
      return false;
    }
  }

  @Test
  void a_lock_that_another_process_has_taken_fences_this_engine() throws Exception {
    var elsewhere = folder.resolve("elsewhere.lock");
    var other = ChildProcess.start(LockingProcess.class, elsewhere.toString());
    try (var log = new LogLines();
        var store = SqliteStore.open(file, ENGINE)) {
      assertThat(other.inputReader().readLine()).isEqualTo("locked");
      var node = TestNode.join(store);

      Files.move(elsewhere, lock, StandardCopyOption.ATOMIC_MOVE);

      TestDatabase.await("the log has it", () -> log.with("ERROR", "R117", "orders.db") > 0);
      assertThatThrownBy(() -> node.start("order-7"))
          .isInstanceOfSatisfying(
              Fenced.class, fenced -> assertThat(fenced.code()).isEqualTo(ErrorCode.R117));
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void a_lock_file_with_the_name_of_another_process_fences_this_engine() throws Exception {
    try (var log = new LogLines();
        var engine = engine()) {
      engine.start("echo", "order-1", "hello").result(LIMIT);
      Files.writeString(lock, "1\n"); // as one that found it unlocked
      TestDatabase.await("the log has it", () -> log.with("ERROR", "R117", "process 1") > 0);

      assertThatThrownBy(() -> start(engine))
          .isInstanceOfSatisfying(
              RepriseException.class,
              error -> {
                assertThat(error.code()).isEqualTo(ErrorCode.R117);
                assertThat(error.isRetryable()).isFalse();
              });
    }
  }

  // ---- rights -----------------------------------------------------------------------------------

  @Test
  void files_are_for_their_owner_alone() throws IOException {
    try (var store = SqliteStore.open(file, ENGINE)) {
      TestNode.join(store).start("order-7");

      for (var name : new String[] {"", "-wal", "-shm", ".lock"}) {
        var beside = folder.resolve("orders.db" + name);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(beside)))
            .as(beside.toString())
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void rights_of_a_file_that_is_there_stay() throws IOException {
    SqliteStore.open(file, ENGINE).close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));

    SqliteStore.open(file, ENGINE).close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-rw----");
  }

  /** Where nobody creates files, not even root. */
  @Test
  void a_folder_in_which_nothing_can_be_created_is_R141_with_the_cause() {
    var nowhere = Path.of("/sys/kernel");
    assumeTrue(Files.isDirectory(nowhere), "only on Linux");

    assertThatThrownBy(() -> SqliteStore.open(nowhere.resolve("orders.db"), ENGINE))
        .isInstanceOfSatisfying(
            RepriseException.class,
            error -> {
              assertThat(error.code()).isEqualTo(ErrorCode.R141);
              assertThat(error.isRetryable()).isFalse();
            })
        .hasMessageContainingAll("orders.db.lock", "AccessDenied");
  }

  @ParameterizedTest
  @EnumSource(
      value = SQLiteErrorCode.class,
      names = {"SQLITE_READONLY", "SQLITE_PERM", "SQLITE_READONLY_DBMOVED", "SQLITE_AUTH"})
  void what_SQLite_may_not_write_is_not_retryable(SQLiteErrorCode code) {
    var meaning = new SqliteErrors(file).meaningOf(new SQLiteException("no", code));

    assertThat(meaning)
        .isInstanceOfSatisfying(
            StoreUnavailable.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.R141));
  }
}
