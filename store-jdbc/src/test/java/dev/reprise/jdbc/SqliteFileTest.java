package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TestNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening a file: ours, somebody else's, none. */
class SqliteFileTest {
  private static final Options ENGINE = new Options(true, false);
  private static final Options NO_MIGRATION = new Options(false, false);
  private static final Options READER = new Options(true, true);

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void chooseFile() {
    file = folder.resolve("orders.db");
  }

  private Store open(Options options) {
    return SqliteStore.open(file, options);
  }

  private static void assertRefused(ThrowingCallable call, ErrorCode code, Path file) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RepriseException.class, error -> assertThat(error.code()).isEqualTo(code))
        .hasMessageContaining(file.toString());
  }

  private void sql(String... statements) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      for (var sql : statements) statement.execute(sql);
    }
  }

  // ---- ours -----------------------------------------------------------------------------------

  @Test
  void reopening_gives_everything_back() {
    long run;
    Optional<?> found;
    try (var store = open(ENGINE)) {
      var node = TestNode.join(store);
      run = node.start("order-7");
      node.store(append(run, 2, 100), signal(run, "1"));
      found = store.find("order-7");
    }

    try (var store = open(ENGINE)) {
      assertThat(store.find("order-7")).isEqualTo(found);
      assertThat(store.history(run, 1, 1_000)).hasSize(100);
      assertThat(store.inputs(run)).hasSize(1);
      assertThat(TestNode.join(store).claim(Rows.NOON)).containsExactly("order-7");
      assertThat(store.reserveKeys(1)).isGreaterThan(run);
    }
  }

  @Test
  void keys_of_deleted_runs_are_not_given_out_after_a_restart() {
    long run;
    try (var store = open(ENGINE)) {
      var node = TestNode.join(store);
      run = node.start("order-7");
      node.store(close(run, 2));
      assertThat(store.deleteClosed(Rows.NOON.plusSeconds(61), 10)).isEqualTo(1);
    }

    try (var store = open(ENGINE)) {
      TestNode.join(store);

      assertThat(store.reserveKeys(1)).isGreaterThan(run);
    }
  }

  @Test
  void closing_twice_does_no_harm() {
    var store = open(ENGINE);
    store.close();

    store.close();
  }

  @Test
  void a_reader_sees_what_the_engine_beside_it_has_committed() {
    try (var engine = open(ENGINE)) {
      var node = TestNode.join(engine);
      long run = node.start("order-7");
      try (var reader = open(READER)) {
        assertThat(reader.history(run, 1, 10)).hasSize(1);

        node.store(append(run, 2, 2));

        assertThat(reader.history(run, 1, 10)).hasSize(2);
        assertThat(reader.list(Filter.ALL, Long.MAX_VALUE, 10)).hasSize(1);
        assertThatThrownBy(() -> TestNode.join(reader)).isInstanceOf(IllegalStateException.class);
      }
      node.store(append(run, 3, 3));
    }
  }

  @Test
  void a_reader_reads_what_an_engine_left() {
    try (var engine = open(ENGINE)) {
      TestNode.join(engine).start("order-7");
    }

    try (var reader = open(READER)) {
      assertThat(reader.find("order-7")).isPresent();
    }
  }

  @Test
  void tables_made_by_hand_are_as_good() throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      for (var name : Migrator.SQLITE) {
        try (var script = Migrator.class.getResourceAsStream("sqlite/" + name)) {
          statement.executeUpdate(new String(script.readAllBytes()));
        }
      }
    }

    try (var store = open(NO_MIGRATION)) {
      TestNode.join(store).start("order-7");
    }
  }

  @Test
  void the_history_view_names_every_type_of_event() throws SQLException {
    try (var store = open(ENGINE)) {
      var node = TestNode.join(store);
      long run = node.start("order-7");
      for (var type : EventType.values()) {
        var event =
            new EventRow(1 + type.code(), Rows.NOON, type.code(), null, Rows.bytes("{}"), null);
        node.store(new Append(run, List.of(event), List.of(), new RunChange.None()));
      }
    }

    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT type, recorded_at FROM history WHERE idx > 1")) {
      var names = new ArrayList<String>();
      while (rows.next()) {
        names.add(rows.getString(1));
        assertThat(rows.getString(2)).isEqualTo(Rows.NOON.toString());
      }
      assertThat(names)
          .containsExactly(
              Stream.of(EventType.values()).map(EventType::label).toArray(String[]::new));
    }
  }

  // ---- not ours -------------------------------------------------------------------------------

  @Test
  void a_newer_schema_is_refused() throws SQLException {
    open(ENGINE).close();
    sql("INSERT INTO schema_version VALUES (999, 0)");

    assertRefused(() -> open(ENGINE), ErrorCode.R116, file);
    assertRefused(() -> open(READER), ErrorCode.R116, file);
  }

  @Test
  void a_file_without_tables_is_refused_when_migration_is_off() {
    assertRefused(() -> open(NO_MIGRATION), ErrorCode.R116, file);
    assertThat(file).doesNotExist();
  }

  @Test
  void the_database_of_something_else_is_refused_and_left_alone() throws Exception {
    sql("CREATE TABLE customers (name TEXT)", "CREATE TABLE schema_version (version INTEGER)");

    assertLeftAlone();
    assertThatThrownBy(() -> open(ENGINE)).hasMessageContaining("customers, schema_version");
  }

  @Test
  void a_file_that_is_no_database_is_refused_and_left_alone() throws Exception {
    Files.writeString(file, "Dear diary, ".repeat(1_000));

    assertLeftAlone();
  }

  @Test
  void a_damaged_database_is_refused_and_left_alone() throws Exception {
    open(ENGINE).close();
    var bytes = Files.readAllBytes(file);
    for (int i = 100; i < 4_096; i++) bytes[i] = (byte) ThreadLocalRandom.current().nextInt();
    Files.write(file, bytes);

    assertLeftAlone();
  }

  private void assertLeftAlone() throws IOException {
    var before = Files.readAllBytes(file);

    assertRefused(() -> open(ENGINE), ErrorCode.R115, file);
    assertRefused(() -> open(READER), ErrorCode.R115, file);

    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void a_reader_does_not_create_a_file() {
    assertRefused(() -> open(READER), ErrorCode.R115, file);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void a_folder_that_is_missing_is_named() {
    file = folder.resolve("data").resolve("orders.db");

    assertRefused(() -> open(ENGINE), ErrorCode.R115, file.getParent());
  }

  // ---- URLs -----------------------------------------------------------------------------------

  private static Optional<Store> openUrl(String url) {
    return ServiceLoader.load(StoreProvider.class).stream()
        .map(provider -> provider.get().open(url, ENGINE))
        .flatMap(Optional::stream)
        .findFirst();
  }

  @Test
  void the_url_of_a_file_opens_it() {
    try (var store = openUrl("jdbc:sqlite:" + file).orElseThrow()) {
      assertThat(store.find("order-7")).isEmpty();
    }
    assertThat(file).exists();
  }

  @Test
  void urls_of_other_databases_are_left_to_others() {
    assertThat(openUrl("jdbc:h2:mem:orders")).isEmpty();
  }

  @Test
  void a_database_in_memory_is_refused() {
    assertThatThrownBy(() -> openUrl("jdbc:sqlite::memory:"))
        .isInstanceOf(RepriseException.class)
        .hasMessageContaining("Reprise.inMemory()");
    assertThatThrownBy(() -> openUrl("jdbc:sqlite:")).isInstanceOf(RepriseException.class);
  }

  @Test
  void a_url_with_settings_is_refused() {
    assertThatThrownBy(() -> openUrl("jdbc:sqlite:" + file + "?synchronous=OFF"))
        .isInstanceOf(RepriseException.class);
    assertThatThrownBy(() -> openUrl("jdbc:sqlite:file:" + file))
        .isInstanceOf(RepriseException.class);
  }
}
