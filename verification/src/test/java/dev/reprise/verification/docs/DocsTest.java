package dev.reprise.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ErrorCode;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.server.Main;
import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.architecture.Repository;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What the documentation says exists, and what exists is in the documentation. */
class DocsTest {
  private static final Repository REPOSITORY = Repository.here();

  static List<Page> pages() {
    return Page.all(REPOSITORY);
  }

  // ---- every page

  @ParameterizedTest
  @MethodSource("pages")
  void included_code_is_as_the_sources_have_it(Page page) {
    assertThat(page.text()).as("%s: run ./reprise docs", page).isEqualTo(page.upToDate(REPOSITORY));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void all_java_is_included_from_code_that_is_compiled(Page page) {
    assertThat(page.javaWithoutSource()).as("%s", page).isZero();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void links_lead_somewhere(Page page) {
    assertThat(page.links().filter(link -> !leadsSomewhere(page, link))).as("%s", page).isEmpty();
  }

  private static boolean leadsSomewhere(Page page, String link) {
    var parts = link.split("#", 2);
    var target = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]);
    if (parts.length == 1) return Files.exists(target);
    return Files.exists(target) && Page.read(target).anchors().contains(parts[1]);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void dependencies_have_the_version_of_this_build(Page page) {
    var build = Page.read(REPOSITORY.root().resolve("pom.xml")).text();

    assertThat(page.versions())
        .as("%s", page)
        .allSatisfy(version -> assertThat(build).contains(version));
  }

  // ---- the reference

  @Test
  void every_error_code_has_a_section_and_no_section_is_for_another() {
    var codes = Stream.of(ErrorCode.values()).map(ErrorCode::name).toList();

    assertThat(reference("errors").sections()).containsExactlyElementsOf(codes);
  }

  @Test
  void every_error_section_begins_with_the_title_of_the_error() {
    for (var code : ErrorCode.values()) {
      assertThat(reference("errors").section(code.name())).contains("**" + code.title() + "**");
    }
  }

  @Test
  void every_setting_of_the_engine_is_described() {
    var page = reference("configuration").text();

    assertThat(Reprise.class.getDeclaredMethods())
        .filteredOn(method -> Modifier.isPublic(method.getModifiers()))
        .extracting(Method::getName)
        .allSatisfy(name -> assertThat(page).contains("`" + name + "("));
  }

  @Test
  void every_table_is_described_with_its_columns(@TempDir Path folder) throws SQLException {
    var url = "jdbc:sqlite:" + folder.resolve("empty.db");
    Reprise.open(url, new StoreProvider.Options(true, false)).close();

    try (var connection = DriverManager.getConnection(url);
        var tables = connection.createStatement().executeQuery(TABLES)) {
      while (tables.next()) {
        assertThat(reference("schema").rows("`" + tables.getString("name") + "`"))
            .as(tables.getString("name"))
            .containsExactly(tables.getString("columns").split(","));
      }
    }
  }

  private static final String TABLES =
      """
      SELECT tables.name, group_concat(columns.name) AS columns
        FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type IN ('table', 'view') AND tables.name NOT LIKE 'sqlite_%'
       GROUP BY tables.name
      """;

  /** In PostgreSQL a column is as in SQLite, or what is different about it is said. */
  @Test
  void every_column_of_PostgreSQL_is_described() throws SQLException {
    var url = PostgresServer.shared().createDatabase();
    Reprise.open(url, new StoreProvider.Options(true, false)).close();

    try (var connection = DriverManager.getConnection(url);
        var columns = connection.createStatement().executeQuery(POSTGRES_COLUMNS)) {
      while (columns.next()) {
        var table = columns.getString("table_name");
        var column = columns.getString("column_name");
        assertThat(isDescribed(table, column)).as("%s.%s", table, column).isTrue();
      }
    }
  }

  private static boolean isDescribed(String table, String column) {
    var page = reference("schema");
    var heading = "`" + table + "`";
    return page.section("PostgreSQL").contains("\n| `%s.%s` |".formatted(table, column))
        || (page.sections().contains(heading) && page.rows(heading).contains(column));
  }

  private static final String POSTGRES_COLUMNS =
      """
      SELECT table_name, column_name
        FROM information_schema.columns
       WHERE table_schema = 'reprise'
      """;

  @Test
  void every_event_type_is_described_with_its_code() {
    for (var type : EventType.values()) {
      assertThat(reference("schema").section("Event types"))
          .contains("\n| %d | `%s` |".formatted(type.code(), type.label()));
    }
  }

  @Test
  void every_command_and_every_option_is_described() throws ClassNotFoundException {
    var page = reference("cli");
    var main = CommandSpec.forAnnotatedObject(Main.class);
    var bench = Class.forName("dev.reprise.verification.bench.Bench");
    var chaos = Class.forName("dev.reprise.verification.chaos.Chaos");
    var histories = Class.forName("dev.reprise.verification.histories.Histories");

    assertThat(page.anchors()).containsAll(main.subcommands().keySet()).contains("bench", "chaos");
    assertThat(
            Stream.of(options(main), options(bench), options(chaos), options(histories))
                .flatMap(all -> all))
        .contains("--db", "--seconds", "--minutes")
        .allSatisfy(option -> assertThat(page.text()).contains("`" + option));
  }

  private static Stream<String> options(CommandSpec command) {
    var below = command.subcommands().values().stream().map(CommandLine::getCommandSpec);
    return Stream.concat(
        command.options().stream().flatMap(option -> Stream.of(option.names())),
        below.flatMap(DocsTest::options));
  }

  private static Stream<String> options(Class<?> command) {
    return Stream.of(command.getDeclaredFields())
        .flatMap(field -> Stream.of(field.getAnnotationsByType(Option.class)))
        .flatMap(option -> Stream.of(option.names()));
  }

  private static Page reference(String name) {
    return Page.read(REPOSITORY.root().resolve("docs/reference/" + name + ".md"));
  }
}
