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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
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

  @ParameterizedTest
  @EnumSource(Loss.class)
  void nothing_is_acknowledged_a_second_after_the_file_is_lost(Loss loss) throws Exception {
    assertNothingIsAcknowledgedLate(() -> loss.of(file));
  }

  @Test
  void nothing_is_acknowledged_a_second_after_the_lock_is_lost() throws Exception {
    var elsewhere = folder.resolve("elsewhere.lock");
    var other = ChildProcess.start(LockingProcess.class, elsewhere.toString());
    try {
      assertThat(other.inputReader().readLine()).isEqualTo("locked");
      assertNothingIsAcknowledgedLate(
          () -> Files.move(elsewhere, lock, StandardCopyOption.ATOMIC_MOVE));
    } finally {
      other.destroyForcibly();
    }
  }

  private interface Losing {
    void lose() throws IOException;
  }

  /** A second, and as long as this process stood still meanwhile. */
  private void assertNothingIsAcknowledgedLate(Losing losing) throws Exception {
    var last = new AtomicLong(); // when a start was acknowledged
    try (var engine = engine();
        var stalls = new Stalls()) {
      var caller = Thread.ofPlatform().start(() -> startUntilRefused(engine, last));
      TestDatabase.await("work goes on", () -> last.get() != 0);
      losing.lose();
      long lost = System.nanoTime();
      var before = stalls.total();

      assertThat(caller.join(LIMIT)).isTrue();

      var stoodStill = stalls.total().minus(before);
      assertThat(Duration.ofNanos(last.get() - lost))
          .isLessThan(Duration.ofSeconds(1).plus(stoodStill));
    }
  }

  private static void startUntilRefused(Engine engine, AtomicLong last) {
    for (int i = 0; ; i++) {
      try {
        engine.start("echo", "order-" + i, "hello");
        last.set(System.nanoTime());
      } catch (RepriseException refused) {
        assertThat(refused.isRetryable()).isFalse();
        return;
      }
    }
  }

  /** For how long threads of this process were not run although they had something to do. */
  private static final class Stalls implements AutoCloseable {
    private static final long BEAT = Duration.ofMillis(10).toNanos();

    private final AtomicLong nanos = new AtomicLong();
    private final Thread thread = Thread.ofPlatform().start(this::watch);

    private void watch() {
      while (!Thread.currentThread().isInterrupted()) {
        long begun = System.nanoTime();
        LockSupport.parkNanos(BEAT);
        nanos.addAndGet(Math.max(0, System.nanoTime() - begun - 2 * BEAT));
      }
    }

    private Duration total() {
      return Duration.ofNanos(nanos.get());
    }

    @Override
    public void close() {
      thread.interrupt();
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

  /** In two containers, each of which has its own numbers and both the folder. */
  @Test
  void a_lock_file_with_the_name_of_a_process_of_the_same_number_fences_this_engine()
      throws Exception {
    try (var log = new LogLines();
        var engine = engine()) {
      engine.start("echo", "order-1", "hello").result(LIMIT);
      long self = ProcessHandle.current().pid();
      Files.writeString(lock, self + " " + UUID.randomUUID() + "\n");
      TestDatabase.await("the log has it", () -> log.with("ERROR", "R117", "process " + self) > 0);

      assertThatThrownBy(() -> start(engine))
          .isInstanceOfSatisfying(
              RepriseException.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.R117));
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
