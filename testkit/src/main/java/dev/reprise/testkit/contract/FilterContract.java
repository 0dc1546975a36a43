package dev.reprise.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.event.EventType;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which runs a filter finds: the same in every store. */
public interface FilterContract extends StoreUnderTest {

  @Test
  default void filters_find_runs_by_facts_about_them() {
    expect(
        """
        | 123456789
        workflowId = 'order-3' | 3
        workflowId = 'order-33' |
        workflowId != 'order-3' | 12456789
        workflowId > 'order-7' | 89
        workflowId <= 'order-2' | 12
        workflowId in ('order-2', 'order-9', 'x') | 29
        workflowId not in ('order-2', 'order-9', 'x') | 1345678
        workflowId like 'order-%' | 123456789
        workflowId like '%7' | 7
        workflowId like 'ORDER-%' |
        runId = '00000000-00ab-cdef-0000-000000000004' | 4
        runId like '%0004' | 4
        workflow = 'Checkout' | 12379
        workflow != 'Checkout' | 4568
        workflow < 'D' | 12379
        workflow like '_bermut' | 8
        workflow > 'Z' | 8
        parent = 'order-1' | 46
        parent != 'order-1' | 5
        not parent = 'order-1' | 1235789
        parent like 'order_1' | 456
        parent like 'order\\_1' | 5
        parent is null | 123789
        parent is not null | 456
        blockedBy is not null | 46
        blockedBy like 'R101%history' | 4
        blockedBy >= 'R132' | 6
        """);
  }

  @Test
  default void filters_find_runs_by_status() {
    expect(
        """
        status = RUNNING | 1
        status = COMPENSATING | 5
        status = BLOCKED | 4
        status = COMPENSATION_FAILED | 6
        status = held | 46
        status = active | 15
        status = open | 1456
        status = closed | 23789
        status = COMPLETED | 2
        status != COMPLETED | 13456789
        status != RUNNING | 23456789
        status in (RUNNING, BLOCKED) | 14
        status in (RUNNING, COMPENSATION_FAILED, failed) | 136
        status not in (open, closed) |
        status in (open, closed) | 123456789
        not status = COMPENSATING | 12346789
        status = CONTINUED |
        """);
  }

  @Test
  default void filters_find_runs_by_time() {
    expect(
        """
        startedAt = '2026-03-01T15:00:00.123456Z' | 3
        startedAt < '2026-03-01T15:00:00.123456Z' | 12
        startedAt >= '2026-03-01T15:00:00.123456Z' and startedAt < '2026-03-01T17:00:00Z' | 34
        startedAt > '2026-03-01T20:00+01:00' | 789
        startedAt > '2026-03-02' |
        startedAt in ('2026-03-01T15:00:00.123456Z', '2026-03-01T16:00:00.123456Z') | 34
        startedAt > now + 7h | 89
        startedAt != now + 7h | 12345689
        closedAt is null | 1456
        closedAt > '2026-03-01' | 23789
        closedAt != '2026-03-01' | 23789
        not closedAt > '2026-03-01' | 1456
        """);
  }

  @Test
  default void filters_find_runs_by_attributes_and_mind_their_types() {
    expect(
        """
        attribute.customer = 'c-7' | 1
        attribute.customer != 'c-7' | 26789
        not attribute.customer = 'c-7' | 23456789
        attribute.customer != 7 | 126789
        attribute.customer != true | 126789
        attribute.customer = '' | 9
        attribute.customer is null | 345
        attribute.customer like 'c%' | 1
        attribute.customer like '_' | 8
        attribute.customer like '100\\%' | 7
        attribute.customer like '%' | 126789
        attribute.customer > 'c' | 168
        attribute.customer < 'c' | 279
        attribute.customer in ('c-7', 'C-7', 7) | 12
        attribute.amount = 7 | 18
        attribute.amount = 7.0 | 18
        attribute.amount = 7e0 | 18
        attribute.amount = '7' |
        attribute.amount != 7 | 2679
        attribute.amount != '7' | 126789
        attribute.amount < 7.5 | 168
        attribute.amount <= 7.5 | 1268
        attribute.amount > 7.4 | 279
        attribute.amount = -1 | 6
        attribute.amount = 9007199254740993 | 7
        attribute.amount = 9007199254740992 |
        attribute.amount = 1e5 | 9
        attribute.amount in (7, -1, 'x') | 168
        attribute.amount like '7' |
        attribute.paid = true | 1
        attribute.paid = false | 2
        attribute.paid != true | 279
        attribute.paid = 'true' | 7
        attribute.paid in (true, 'True') | 19
        attribute.paid is null | 34568
        attribute.Customer = 'c-7' |
        """);
  }

  @Test
  default void filters_find_runs_by_places_in_their_input() {
    expect(
        """
        input.order.id = 7 | 18
        input.order.id = '7' | 2
        input.order.id > 6 | 18
        input.order.id is not null | 128
        input.order.id is null | 345679
        input.order.items[1].sku = 'b' | 1
        input.order.items[2].sku is not null |
        input.order.items.sku is not null |
        input.order != 'x' | 1278
        input.order = '{"id":7}' | 7
        input.order.items is not null | 1
        input = 'text' | 5
        input like 't%' | 5
        input[0] = 1 | 6
        input[1][1] = 3 | 6
        input[1] = 3 |
        input.'0' = 1 |
        input.a[0] = 'zero' |
        input.a.'0' = 'zero' | 7
        input.'odd key' = true | 7
        input.n is null | 123456789
        input.n = 'null' |
        input is null | 349
        """);
  }

  @Test
  default void filters_find_runs_by_what_they_wait_for() {
    var node = join();
    var later = Rows.NOON.plusSeconds(3_600);
    waiting(node, 1, null);
    waiting(node, 2, Rows.NOON);
    waiting(node, 3, later, "TimerScheduled a");
    waiting(node, 4, null, "TimerScheduled a", "TimerFired a");
    waiting(node, 5, null, "ChildStarted a");
    waiting(node, 6, null, "ChildStarted a", "ChildCompleted a");
    waiting(node, 7, later, "ActivityRetryScheduled a", "ActivityCompleted b");
    waiting(node, 8, null, "ActivityRetryScheduled a", "ActivityCompleted a");
    waiting(node, 9, later, "TimerScheduled a", "ChildStarted b", "SignalReceived c");

    found("waitsFor = signal", "1468");
    found("waitsFor = SIGNAL", "1468");
    found("waitsFor = 'signal'", "1468");
    found("waitsFor = timer", "39");
    found("waitsFor = child", "59");
    found("waitsFor = activity", "27");
    found("waitsFor in (timer, activity)", "2379");
    found("waitsFor != signal", "23579");
    found("waitsFor not in (signal, timer, child)", "27");
    found("waitsFor = signal and not workflowId = 'order-6'", "148");
    found("waitsFor = queue", "");
    found("waitsFor = compensation", "");
  }

  private void found(String filter, String expected) {
    assertThat(matching(filter)).as(filter).isEqualTo(expected);
    assertThat(store().count(parsed(filter))).as(filter).isEqualTo(expected.length());
  }

  /** A run with these events behind the first, each a type and the id of what it is about. */
  private static void waiting(
      TestNode node, int number, @Nullable Instant wakeAt, String... events) {
    long run = node.start(node.run("order-" + number, "Checkout", wakeAt));
    var rows = new ArrayList<EventRow>();
    for (var event : events) {
      var words = event.split(" ");
      var type = EventType.labelled(words[0]).orElseThrow().code();
      var attributes = Rows.bytes("{\"id\":\"%s\"}".formatted(words[1]));
      rows.add(new EventRow(rows.size() + 2, Rows.NOON, type, null, attributes, null));
    }
    if (!rows.isEmpty()) node.store(new Append(run, rows, List.of(), new RunChange.None()));
  }

  @Test
  default void closed_and_held_runs_wait_for_nothing() {
    expect(
        """
        waitsFor = activity | 1
        waitsFor = signal |
        waitsFor = compensation | 5
        waitsFor in (signal, timer, child, activity, queue, compensation) | 15
        """);
  }

  @Test
  default void filters_are_combined() {
    expect(
        """
        status = open and workflow = 'Shipping' or status = COMPLETED | 2456
        status = open and (workflow = 'Shipping' or status = COMPLETED) | 456
        not (status = open or workflow = 'Checkout') | 8
        not not status = held | 46
        attribute.amount = 7 and input.order.id = 7 and status = TIMED_OUT | 8
        attribute.amount = 7 or parent = 'order-1' | 1468
        not attribute.amount = 7 and not input.order.id = 7 | 2345679
        """);
  }

  /** A defect of Edda: its filters were made of text with quotes around it. */
  @Test
  default void what_a_filter_says_never_becomes_sql() {
    expect(
        """
        attribute.customer = 'o''neil''; DROP TABLE runs; --' | 6
        attribute.customer like 'o''neil''; DROP%' | 6
        workflow = 'x'' OR 1=1 --' |
        workflow like '%'' OR ''%' |
        workflowId in ('x'') OR (1=1', 'order-2') | 2
        input.'x'') IS NULL OR (''1' = '1' |
        input.'$.a' is not null |
        attribute.customer = '?' or workflow = '$1' or workflow = ':a' |
        """);

    assertThat(store().count(Filter.ALL)).isEqualTo(9);
  }

  /** A defect of Edda: it compared with the word {@code True}. */
  @Test
  default void a_truth_value_is_no_word() {
    expect(
        """
        attribute.paid = true | 1
        attribute.paid = 'True' | 9
        attribute.paid = 'true' | 7
        attribute.paid = TRUE | 1
        """);
  }

  @Test
  default void a_filter_as_large_as_can_be_is_answered() {
    new FilteredRuns(join()).startAll();
    var deep = "not (".repeat(14) + "input.order.id = 7" + ")".repeat(14);
    var broad = "attribute.amount = 8 or ".repeat(98) + "attribute.amount = 7";
    var list = "attribute.amount in (%s7)".formatted("8, ".repeat(197));
    var ands = "not input.order.id = 8 and ".repeat(98) + "attribute.amount = 7";

    for (var filter : List.of(deep, broad, list, ands)) {
      assertThat(matching(filter)).as(filter).isEqualTo("18");
    }
  }

  /** Each line has a filter and the last digits of the workflow ids that it finds. */
  private void expect(String lines) {
    if (store().count(Filter.ALL) == 0) new FilteredRuns(join()).startAll();
    var wrong = new ArrayList<String>();
    for (var line : lines.lines().toList()) {
      int bar = line.lastIndexOf('|');
      var filter = line.substring(0, bar).trim();
      var expected = line.substring(bar + 1).trim();
      var found = matching(filter);
      if (!found.equals(expected))
        wrong.add("%s | %s, found %s".formatted(filter, expected, found));
      assertThat(store().count(parsed(filter))).as(filter).isEqualTo(found.length());
      assertThat(sum(filter)).as(filter).isEqualTo(found.length());
    }
    assertThat(wrong).isEmpty();
  }

  private long sum(String filter) {
    return store().countBy(parsed(filter), Grouping.WORKFLOW).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private String matching(String filter) {
    return store().list(parsed(filter), Long.MAX_VALUE, 100).reversed().stream()
        .map(RunRow::workflowId)
        .map(id -> id.replace("order-", ""))
        .collect(Collectors.joining());
  }

  private static Filter parsed(String filter) {
    return Filter.parse(filter, Rows.NOON);
  }
}
