package dev.reprise.engine.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.filter.Field.Attribute;
import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Field.Index;
import dev.reprise.engine.filter.Field.Input;
import dev.reprise.engine.filter.Field.Key;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterParserTest {
  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00.123456789Z");
  private static final Filter A = compare("a", "1");
  private static final Filter B = compare("b", "2");
  private static final Filter C = compare("c", "3");

  private static Filter compare(String attribute, String number) {
    return new Filter.Compare(
        new Attribute(attribute), Relation.EQUAL, new Value.Numeric(new BigDecimal(number)));
  }

  private static Filter parse(String text) {
    return Filter.parse(text, NOW);
  }

  private static RepriseException mistake(String text) {
    return assertThatExceptionOfType(RepriseException.class)
        .isThrownBy(() -> parse(text))
        .matches(failure -> failure.code() == ErrorCode.R129)
        .actual();
  }

  // ---- what is read

  @Test
  void and_binds_closer_than_or_and_not_closer_than_both() {
    assertThat(parse("attribute.a = 1 or attribute.b = 2 and not attribute.c = 3"))
        .isEqualTo(new Filter.Or(List.of(A, new Filter.And(List.of(B, new Filter.Not(C))))));
    assertThat(parse("(attribute.a=1 OR attribute.b=2)AND attribute.c=3"))
        .isEqualTo(new Filter.And(List.of(new Filter.Or(List.of(A, B)), C)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "\n"})
  void a_blank_filter_lets_all_through(String text) {
    assertThat(parse(text)).isEqualTo(Filter.ALL);
  }

  @Test
  void every_relation_is_known() {
    for (var relation : Relation.values()) {
      assertThat(parse("workflowId " + relation.symbol() + " 'a'"))
          .isEqualTo(new Filter.Compare(Column.WORKFLOW_ID, relation, new Value.Text("a")));
    }
  }

  @Test
  void every_field_is_known_in_whatever_case() {
    for (var column : Column.values()) {
      assertThat(parse(column.label().toUpperCase(java.util.Locale.ROOT) + " IS NULL"))
          .isEqualTo(new Filter.Missing(column));
    }
  }

  @Test
  void a_quote_in_a_text_is_written_twice() {
    assertThat(parse("workflow = 'Zoe''s'"))
        .isEqualTo(new Filter.Compare(Column.WORKFLOW, Relation.EQUAL, new Value.Text("Zoe's")));
  }

  @Test
  void a_quoted_text_stays_one_whatever_is_in_it() {
    var evil = "x' or status = open or workflow = '";

    assertThat(parse("workflow = " + ListQuery.quoted(evil))).isEqualTo(Filter.ofWorkflow(evil));
  }

  @Test
  void a_path_has_names_quoted_keys_and_indexes() {
    assertThat(parse("input.order.'odd key'[0][12].id-2 is not null"))
        .isEqualTo(
            new Filter.Not(
                new Filter.Missing(
                    new Input(
                        List.of(
                            new Key("order"),
                            new Key("odd key"),
                            new Index(0),
                            new Index(12),
                            new Key("id-2"))))));
    assertThat(parse("input is null")).isEqualTo(new Filter.Missing(new Input(List.of())));
  }

  @ParameterizedTest
  @CsvSource({
    "7,7",
    "-7,-7",
    "7.50,7.50",
    "1e3,1e3",
    "1.5E-3,0.0015",
    "9007199254740993,9007199254740993"
  })
  void numbers_are_exact(String text, BigDecimal number) {
    assertThat(parse("attribute.n = " + text))
        .isEqualTo(
            new Filter.Compare(new Attribute("n"), Relation.EQUAL, new Value.Numeric(number)));
  }

  @Test
  void a_list_may_have_values_of_different_types() {
    assertThat(parse("attribute.x in ('a', 1, true)"))
        .isEqualTo(
            new Filter.AnyOf(
                new Attribute("x"),
                List.of(
                    new Value.Text("a"),
                    new Value.Numeric(BigDecimal.ONE),
                    new Value.Truth(true))));
    assertThat(parse("workflow not in ('a')"))
        .isEqualTo(new Filter.Not(new Filter.AnyOf(Column.WORKFLOW, List.of(new Value.Text("a")))));
  }

  @Test
  void a_status_is_a_set() {
    assertThat(parse("status = RUNNING")).isEqualTo(Filter.withStatus(Status.RUNNING));
    assertThat(parse("status = 'running'")).isEqualTo(Filter.withStatus(Status.RUNNING));
    assertThat(parse("status = held"))
        .isEqualTo(new Filter.InStatus(Set.of(Status.BLOCKED, Status.COMPENSATION_FAILED)));
    assertThat(parse("status != closed")).isEqualTo(parse("status = open"));
    assertThat(parse("status not in (active, held, queued)")).isEqualTo(parse("status = closed"));
    assertThat(parse("status in (FAILED, timed_out)"))
        .isEqualTo(new Filter.InStatus(EnumSet.of(Status.FAILED, Status.TIMED_OUT)));
  }

  @ParameterizedTest
  @CsvSource({
    "'''2026-11-01T00:00:00Z''', 2026-11-01T00:00:00Z",
    "'''2026-11-01''', 2026-11-01T00:00:00Z",
    "'''2026-11-01T02:00+02:00''', 2026-11-01T00:00:00Z",
    "'''2026-11-01T00:00:00.123456789Z''', 2026-11-01T00:00:00.123456Z",
    "now, 2026-11-15T12:00:00.123456Z",
    "NOW - 1h, 2026-11-15T11:00:00.123456Z",
    "now-90s, 2026-11-15T11:58:30.123456Z",
    "now + 7d, 2026-11-22T12:00:00.123456Z",
  })
  void times_are_instants_days_or_count_from_now(String text, Instant time) {
    assertThat(parse("startedAt > " + text))
        .isEqualTo(new Filter.Compare(Column.STARTED_AT, Relation.GREATER, new Value.Time(time)));
  }

  @Test
  void a_query_is_all_of_its_conditions() {
    var query = ListQuery.all().with(Status.FAILED).of("Checkout").where("attribute.a = 1");

    assertThat(Filter.of(query, NOW))
        .isEqualTo(
            new Filter.And(
                List.of(Filter.withStatus(Status.FAILED), Filter.ofWorkflow("Checkout"), A)));
    assertThat(Filter.of(ListQuery.all(), NOW)).isEqualTo(Filter.ALL);
  }

  // ---- what is wrong is told with its place

  @Test
  void a_mistake_is_shown_with_a_caret_below_it() {
    assertThat(mistake("status = RUNNING and workflow == 'Checkout'"))
        .hasMessage(
            """
            R129 the filter is not valid at character 32: workflow is a text: expected one in \
            'single quotes', found '='
              status = RUNNING and workflow == 'Checkout'
                                             ^
            The language of filters is in docs/reference/filters.md. \
            (see ./reprise explain R129)\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "status | 7 | expected =, != or in, found the end",
        "status < RUNNING | 8 | expected =, != or in",
        "status = ASLEEP | 10 | expected QUEUED, RUNNING, BLOCKED",
        "status is null | 8 | never null",
        "colour = 'red' | 1 | no field 'colour'; there are workflowId",
        "workflow.name = 'a' | 1 | workflow has nothing inside",
        "workflow = 7 | 12 | workflow is a text",
        "workflow = null | 12 | workflow is a text",
        "workflow 'a' | 10 | expected =, !=, <",
        "workflow not = 'a' | 14 | expected in or like",
        "attribute = 'a' | 1 | attribute.NAME",
        "attribute.a.b = 'a' | 1 | attribute.NAME",
        "attribute.a = null | 15 | use is null",
        "attribute.a = b | 15 | expected a text in 'single quotes', a number, true or false",
        "attribute.a = - | 15 | expected a text",
        "attribute.a = 7h | 15 | expected a text",
        "attribute.a > true | 15 | have no order",
        "attribute.a = 1e999 | 15 | exponent of at most 300",
        "attribute.a = 1234567890123456789012345678901 | 15 | at most 30 digits",
        "attribute.a = 1e99999999999 | 15 | too large",
        "attribute.a = 1. | 17 | expected a digit",
        "attribute.a is 7 | 16 | expected null or not null",
        "attribute.a is not 7 | 20 | expected null",
        "attribute. = 7 | 11 | expected a name",
        "attribute.7 = 7 | 11 | expected a name",
        "input.'' = 7 | 7 | a key is not empty",
        "input.'a\"b' = 7 | 7 | no \\",
        "input[x] = 7 | 7 | expected the number of an element",
        "input[1 = 7 | 8 | expected ]",
        "input[1234567890] = 7 | 7 | too large",
        "startedAt = 7 | 13 | expected a time such as",
        "startedAt = 'noon' | 13 | expected a time such as",
        "startedAt = '2026-02-30' | 13 | expected a time such as",
        "startedAt > now - | 18 | expected so much time",
        "startedAt > now - 1w | 19 | such as 90s, 30m, 24h or 7d",
        "startedAt > now - 999999999d | 19 | not in the years 1 to 9999",
        "startedAt like 'a' | 11 | startedAt is a time",
        "workflow like 7 | 15 | expected a text such as",
        "workflow like 'a\\b' | 15 | stands in front of",
        "workflow like 'a\\' | 15 | stands in front of",
        "workflow in 'a' | 13 | expected (",
        "workflow in () | 14 | workflow is a text",
        "workflow in ('a' | 17 | expected , or )",
        "workflow = 'a | 12 | has no end",
        "workflow = \"\"a\"\" | 12 | texts stand in 'single quotes'",
        "(workflow = 'a' | 16 | expected and, or, or )",
        "workflow = 'a') | 15 | expected and, or, or the end",
        "workflow = 'a' workflow = 'b' | 16 | expected and, or, or the end",
        "workflow = 'a' and | 19 | expected a field, not or (",
        "and | 1 | no field 'and'",
        "; drop table runs | 1 | ';' has no meaning here",
      })
  void every_mistake_has_its_place(String text, int character, String what) {
    assertThat(mistake(text))
        .hasMessageContaining("not valid at character %d: ".formatted(character))
        .hasMessageContaining(what);
  }

  @Test
  void texts_that_no_database_keeps_are_refused() {
    assertThat(mistake("workflow = 'a\0'")).hasMessageContaining("no database keeps");
    assertThat(mistake("workflow = 'a\uD800'")).hasMessageContaining("no database keeps");
  }

  @Test
  void a_long_filter_is_shown_around_the_mistake() {
    var text = "workflow = '%s' and\n\tcolour = 'red' and workflow = '%s'".formatted(a(99), a(99));

    var lines = mistake(text).getMessage().lines().toList();

    assertThat(lines.get(1)).startsWith("  ...aaa").endsWith("workflow = ...").hasSizeLessThan(95);
    assertThat(lines.get(1).substring(lines.get(2).indexOf('^'))).startsWith("colour");
  }

  @Test
  void a_filter_has_bounds() {
    assertThat(mistake("workflow = '%s'".formatted(a(10_000))))
        .hasMessageContaining("at most 10000 characters");
    assertThat(mistake("(".repeat(31))).hasMessageContaining("at most 30 levels");
    assertThat(mistake("not ".repeat(31))).hasMessageContaining("at most 30 levels");
    assertThat(mistake("input" + ".a".repeat(51) + " = 1")).hasMessageContaining("50 steps");
    assertThat(mistake("attribute.a in (%s1)".formatted("1,".repeat(200))))
        .hasMessageContaining("at most 200 comparisons and values");
    assertThat(parse("(".repeat(30) + "attribute.a = 1" + ")".repeat(30))).isEqualTo(A);
  }

  private static String a(int length) {
    return "a".repeat(length);
  }

  // ---- beside filters

  @Test
  void a_cursor_leads_back_to_its_key() {
    assertThat(RunCursor.key(RunCursor.after(123_456_789L))).isEqualTo(123_456_789L);
    assertThat(RunCursor.key(null)).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "r", "order-7", "r!", "rzzzzzzzzzzzzzzzz"})
  void what_is_no_cursor_is_refused(String cursor) {
    assertThatExceptionOfType(RepriseException.class)
        .isThrownBy(() -> RunCursor.key(cursor))
        .matches(failure -> failure.code() == ErrorCode.R129)
        .withMessageContaining("'%s' does not stand for a page", cursor);
  }

  @Test
  void runs_are_counted_by_status_or_workflow() {
    assertThat(Grouping.of("status")).isEqualTo(Grouping.STATUS);
    assertThat(Grouping.of("Workflow")).isEqualTo(Grouping.WORKFLOW);
    assertThatExceptionOfType(RepriseException.class)
        .isThrownBy(() -> Grouping.of("colour"))
        .withMessageContaining("not by 'colour'");
  }
}
