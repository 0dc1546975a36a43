package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.engine.store.WakeupMode;
import dev.reprise.testkit.contract.TestNode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which schema the tables are, for a user whose search path begins with {@code public}. */
class PostgresSchemaTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Options READER = new Options(false, true);
  private static final Options NO_MIGRATION = new Options(false, false);
  private static final String OWN_TABLES =
      "CREATE TABLE public.tasks (what text); CREATE TABLE public.events (id bigint);"
          + " INSERT INTO public.tasks VALUES ('water the plants')";

  private final TestDatabase database = TestDatabase.create();
  private final String role = "app_" + UUID.randomUUID().toString().substring(0, 8);

  @BeforeEach
  void createRole() throws SQLException {
    database.execute("CREATE ROLE %s LOGIN; GRANT CREATE ON SCHEMA public TO %1$s".formatted(role));
    grantCreate();
  }

  private void grantCreate() throws SQLException {
    var name = database.query("SELECT current_database()").getFirst();
    database.execute("GRANT CREATE ON DATABASE %s TO %s".formatted(name, role));
  }

  private void revokeCreate() throws SQLException {
    var name = database.query("SELECT current_database()").getFirst();
    database.execute("REVOKE CREATE ON DATABASE %s FROM %s".formatted(name, role));
  }

  @AfterEach
  void dropRole() throws SQLException {
    database.execute("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role));
  }

  private String url(String more) {
    return database.url().replaceFirst("user=[^&]*", "user=" + role) + more;
  }

  private static Store open(String url, Options options) {
    return new PostgresProvider().open(url, options).orElseThrow();
  }

  private static Store open(String url) {
    return open(url, TestDatabase.ENGINE);
  }

  private HikariDataSource pool(String more) {
    var config = new HikariConfig();
    config.setJdbcUrl(url(more));
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }

  private List<String> schemasWithTables() {
    return database.query(
        """
        SELECT nspname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
         WHERE relname = 'run_keys' ORDER BY 1
        """);
  }

  private static Engine engine(Reprise reprise) {
    return reprise.workflow("echo", String.class, String.class, (_, in) -> in).start();
  }

  private static void assertWorks(Engine engine) throws Exception {
    assertThat(engine.start("echo", "order-7", "hello").result(LIMIT)).isEqualTo("hello");
  }

  private static void assertRefused(ThrowingCallable call, ErrorCode code, String... reasons) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RepriseException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(code);
              assertThat(refused.isRetryable()).isFalse();
            })
        .hasMessageContainingAll(reasons);
  }

  // ---- new databases ----------------------------------------------------------------------------

  @Test
  void a_fresh_database_gets_the_schema_reprise() throws Exception {
    try (var engine = engine(Reprise.open(url("")))) {
      assertWorks(engine);
    }

    assertThat(schemasWithTables()).containsExactly("reprise");
    assertThat(database.query("SELECT workflow_id FROM reprise.runs")).containsExactly("order-7");
    assertThat(
            database.query(
                "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
        .isEmpty();
  }

  @Test
  void tables_of_the_application_may_have_the_same_names() throws Exception {
    database.execute(OWN_TABLES);

    try (var engine = engine(Reprise.open(url("")))) {
      assertWorks(engine);
    }
    try (var pool = pool("");
        var engine = engine(Reprise.open(pool))) {
      assertThat(engine.start("echo", "order-8", "again").result(LIMIT)).isEqualTo("again");
    }

    assertThat(database.query("SELECT what FROM public.tasks")).containsExactly("water the plants");
    assertThat(database.query("SELECT id FROM public.events")).isEmpty();
  }

  @Test
  void a_pool_of_connections_gets_them_back_with_their_search_path() throws Exception {
    try (var pool = pool("&options=-c%20search_path%3Dpublic")) {
      try (var engine = engine(Reprise.open(pool))) {
        assertWorks(engine);
        for (int i = 0; i < 20; i++) {
          try (var connection = pool.getConnection();
              var rows = connection.createStatement().executeQuery("SHOW search_path")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("public");
          }
        }
      }
    }
    assertThat(schemasWithTables()).containsExactly("reprise");
  }

  /** Then the driver sends the settings of a transaction and its statements one by one. */
  @Test
  void a_pool_in_simple_query_mode_is_refused() {
    try (var pool = pool("&preferQueryMode=simple")) {
      assertRefused(
          () -> Reprise.open(pool, TestDatabase.ENGINE), ErrorCode.R115, "preferQueryMode=simple");
    }
  }

  @Test
  void several_may_create_the_schema_at_once() throws Exception {
    try (var pool = pool("");
        var threads = Executors.newFixedThreadPool(4)) {
      var opening = new ArrayList<Callable<Store>>();
      for (int i = 0; i < 2; i++) {
        opening.add(() -> open(url("")));
        opening.add(() -> Reprise.open(pool, TestDatabase.ENGINE));
      }
      for (var opened : threads.invokeAll(opening)) opened.get().close();
    }
    assertThat(schemasWithTables()).containsExactly("reprise");
    assertThat(database.query("SELECT count(*) FROM reprise.schema_version"))
        .containsExactly(String.valueOf(Migrator.POSTGRES.size()));
  }

  /** What an engine of a release without a choice does, at the moment before its commit. */
  @Test
  void an_earlier_release_that_is_creating_its_tables_now_is_waited_for() throws Exception {
    try (var threads = Executors.newSingleThreadExecutor();
        var earlier = database.connect();
        var statement = earlier.createStatement()) {
      earlier.setAutoCommit(false);
      statement.execute("SELECT pg_advisory_xact_lock(7016710934185123421)");
      statement.execute("SET LOCAL search_path = public");
      try (var script =
          Migrator.class.getResourceAsStream("postgres/" + Migrator.POSTGRES.getFirst())) {
        statement.execute(new String(script.readAllBytes()));
      }
      statement.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO " + role);
      var opening = threads.submit(() -> open(database.url()));
      TestDatabase.await("it waits", () -> database.isWaitingForLock("reprise-reader"));

      earlier.commit();

      try (var store = opening.get()) {
        TestNode.join(store).start("order-7");
      }
    }
    assertThat(schemasWithTables()).containsExactly("public");
    assertThat(database.query("SELECT workflow_id FROM public.runs")).containsExactly("order-7");
  }

  // ---- databases of earlier releases ------------------------------------------------------------

  @Test
  void a_database_with_tables_in_public_is_used_as_it_is() throws Exception {
    open(url("&currentSchema=public")).close();

    try (var engine = engine(Reprise.open(url("")))) {
      assertWorks(engine);
    }
    try (var pool = pool("");
        var engine = engine(Reprise.open(pool).migrate(false))) {
      assertThat(engine.describe("order-7").workflow()).isEqualTo("echo");
    }
    for (var options : List.of(READER, NO_MIGRATION)) {
      try (var store = open(url(""), options)) {
        assertThat(store.find("order-7")).isPresent();
        assertThat(Doctor.examine(store)).isEmpty();
      }
    }
    assertThat(schemasWithTables()).containsExactly("public");
    assertThat(database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'reprise'")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"public, order-1", "reprise, order-2"})
  void of_two_sets_of_tables_one_must_be_named(String schema, String found) {
    for (var each : List.of("public", "reprise")) {
      try (var store = open(url("&currentSchema=" + each))) {
        TestNode.join(store).start(each.equals("public") ? "order-1" : "order-2");
      }
    }

    for (var options : List.of(TestDatabase.ENGINE, READER)) {
      assertRefused(
          () -> open(url(""), options), ErrorCode.R152, "'reprise'", "'public'", "currentSchema=");
    }
    try (var pool = pool("")) {
      assertRefused(() -> Reprise.open(pool, READER), ErrorCode.R152, "'reprise'", "'public'");
    }

    try (var store = open(url("&currentSchema=" + schema))) {
      assertThat(store.find(found)).isPresent();
    }
    try (var engine = engine(Reprise.open(url("")).schema(schema))) {
      assertThat(engine.list(ListQuery.all()))
          .extracting(RunDescription::workflowId)
          .containsExactly(found);
    }
  }

  @Test
  void a_running_engine_says_that_an_earlier_release_has_created_a_second_set() throws Exception {
    try (var log = new LogLines();
        var engine = engine(Reprise.open(url("")))) {
      open(url("&currentSchema=public")).close();

      TestDatabase.await("the log has it", () -> log.with("WARN", "R152", "'public'") == 1);
      assertWorks(engine);
    }
  }

  // ---- rights -----------------------------------------------------------------------------------

  private static final Pattern COMMAND = Pattern.compile("has to run: (.*;) \\(");

  private static String commandOf(RuntimeException refused) {
    var matcher = COMMAND.matcher(String.valueOf(refused.getMessage()));
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private static RepriseException refusal(Callable<Store> opening) throws Exception {
    try (var _ = opening.call()) {
      throw new AssertionError("opened");
    } catch (RepriseException refused) {
      return refused;
    }
  }

  @Test
  void a_user_who_may_not_create_schemas_is_told_what_an_administrator_runs() throws Exception {
    revokeCreate();

    var refused = refusal(() -> open(url("")));

    assertThat(refused.code()).isEqualTo(ErrorCode.R153);
    assertThat(refused.isRetryable()).isFalse();
    assertThat(refused).hasMessageContainingAll("'" + role + "'", "create the schema 'reprise'");
    database.execute(commandOf(refused));
    open(url("")).close();
    assertThat(schemasWithTables()).containsExactly("reprise");
  }

  @Test
  void a_schema_in_which_the_user_may_not_create_tables_is_named() throws Exception {
    database.execute("CREATE SCHEMA reprise");

    var refused = refusal(() -> open(url("")));

    assertThat(refused.code()).isEqualTo(ErrorCode.R153);
    assertThat(refused).hasMessageContaining("create tables in the schema 'reprise'");
    database.execute(commandOf(refused));
    open(url("")).close();
  }

  @Test
  void tables_that_the_user_may_not_use_are_named() throws Exception {
    database.open().close(); // by another user

    var refused = refusal(() -> open(url("")));

    assertThat(refused.code()).isEqualTo(ErrorCode.R153);
    assertThat(refused).hasMessageContaining("use the schema 'reprise'");
    database.execute(commandOf(refused));
    try (var store = open(url(""))) {
      TestNode.join(store).start("order-7");
    }
  }

  // ---- other schemas ----------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "billing|billing",
        "Billing|billing",
        "%22My%20Billing%22|My Billing",
        "billing,public|public",
        "billing, other|billing",
        "%22it's%22|it's",
      })
  void the_schema_of_the_url_is_created_if_it_is_not_there(String given, String schema)
      throws SQLException {
    try (var store = open(url("&currentSchema=" + given))) {
      TestNode.join(store).start("order-7");
    }
    assertThat(schemasWithTables()).containsExactly(schema);
    try (var store = open(url("&currentSchema=" + given), READER)) {
      assertThat(store.find("order-7")).isPresent();
    }
  }

  @Test
  void the_setting_counts_more_than_the_url_and_works_for_a_pool() throws Exception {
    try (var engine =
        engine(Reprise.open(url("&currentSchema=public")).schema("Sales \"north\""))) {
      assertWorks(engine);
    }
    try (var pool = pool("");
        var engine = engine(Reprise.open(pool).schema("Sales \"north\""))) {
      assertThat(engine.describe("order-7").workflow()).isEqualTo("echo");
    }
    assertThat(schemasWithTables()).containsExactly("Sales \"north\"");
  }

  @Test
  void names_that_are_taken_are_named_with_the_way_out() throws SQLException {
    database.execute(OWN_TABLES);
    assertRefused(
        () -> open(url("&currentSchema=public")),
        ErrorCode.R115,
        "schema 'public'",
        "events, tasks",
        "currentSchema=");

    database.execute("CREATE SCHEMA reprise; CREATE TABLE reprise.customers (id bigint)");
    assertRefused(() -> open(url("")), ErrorCode.R115, "schema 'reprise'", "customers");
    open(database.url() + "&currentSchema=reprise").close(); // said so
    assertThat(schemasWithTables()).containsExactly("reprise");
  }

  @Test
  void without_migration_the_schema_is_not_created() {
    assertRefused(() -> open(url(""), NO_MIGRATION), ErrorCode.R116, "schema 'reprise'");
    assertRefused(() -> open(url(""), READER), ErrorCode.R116, "schema 'reprise'");
    assertThat(database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'reprise'")).isEmpty();
  }

  @Test
  void a_name_that_PostgreSQL_would_cut_off_is_refused() {
    var reprise = Reprise.open(url(""));

    assertRefused(() -> reprise.schema("ü".repeat(32)), ErrorCode.R112, "schema");
    assertRefused(() -> reprise.schema(" "), ErrorCode.R112, "schema");
    assertRefused(() -> reprise.schema("s".repeat(64)), ErrorCode.R112, "schema");
  }

  // ---- two in one database ----------------------------------------------------------------------

  @Test
  void two_schemas_in_one_database_do_not_disturb_each_other() throws Exception {
    try (var pool = pool("");
        var one = engine(Reprise.open(url("")).wakeups(WakeupMode.AUTO));
        var other = engine(Reprise.open(pool).schema("billing"))) {
      assertThat(one.start("echo", "order-7", "one").result(LIMIT)).isEqualTo("one");
      assertThat(other.start("echo", "order-7", "other").result(LIMIT)).isEqualTo("other");

      assertThat(one.nodes()).hasSize(1);
      assertThat(other.nodes()).hasSize(1);
      assertThat(one.list(ListQuery.all())).hasSize(1);
      assertThat(SchemaChoice.channel("reprise")).isNotEqualTo(SchemaChoice.channel("billing"));
    }
    for (var schema : List.of("reprise", "billing")) {
      try (var store = open(url("&currentSchema=" + schema), READER)) {
        assertThat(Doctor.examine(store)).isEmpty();
      }
    }
  }
}
