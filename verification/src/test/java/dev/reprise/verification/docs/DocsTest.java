package dev.reprise.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ErrorCode;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.server.Main;
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
import picocli.CommandLine.Model.OptionSpec;

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
    assertThat(page.text()).as("run ./reprise docs").isEqualTo(page.upToDate(REPOSITORY));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void all_java_is_included_from_code_that_is_compiled(Page page) {
    assertThat(page.javaWithoutSource()).isZero();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void links_lead_somewhere(Page page) {
    assertThat(page.links()).allSatisfy(link -> assertThat(leadsSomewhere(page, link)).isTrue());
  }

  private static boolean leadsSomewhere(Page page, String link) {
    var parts = link.split("#", 2);
    var target = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]);
    if (parts.length == 1) return Files.exists(target);
    return Files.exists(target) && Page.read(target).anchors().contains(parts[1]);
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
  void every_column_of_the_database_is_described_with_its_table(@TempDir Path folder)
      throws SQLException {
    var url = "jdbc:sqlite:" + folder.resolve("empty.db");
    Reprise.open(url, new StoreProvider.Options(true, false)).close();

    try (var connection = DriverManager.getConnection(url);
        var columns = connection.createStatement().executeQuery(COLUMNS)) {
      while (columns.next()) {
        var section = reference("schema").section("`" + columns.getString(1) + "`");
        assertThat(section).contains("\n| `" + columns.getString(2) + "` |");
      }
    }
  }

  private static final String COLUMNS =
      """
      SELECT things.name, columns.name
        FROM sqlite_schema AS things, pragma_table_info(things.name) AS columns
       WHERE things.type IN ('table', 'view') AND things.name NOT LIKE 'sqlite_%'
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
    var commands = Stream.of(main, CommandSpec.forAnnotatedObject(bench));

    assertThat(page.anchors()).containsAll(main.subcommands().keySet()).contains("bench");
    assertThat(commands.flatMap(DocsTest::options))
        .allSatisfy(option -> assertThat(page.text()).contains("`" + option.longestName()));
  }

  private static Stream<OptionSpec> options(CommandSpec command) {
    var below = command.subcommands().values().stream().map(CommandLine::getCommandSpec);
    return Stream.concat(command.options().stream(), below.flatMap(DocsTest::options));
  }

  private static Page reference(String name) {
    return Page.read(REPOSITORY.root().resolve("docs/reference/" + name + ".md"));
  }
}
