package dev.reprise.server;

import dev.reprise.ListQuery;
import dev.reprise.NodeDescription;
import dev.reprise.RunPage;
import dev.reprise.Status;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.filter.RunCursor;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.NodeView;
import dev.reprise.engine.store.Store;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise list}: which workflows there are. */
@Command(
    name = "list",
    description = "Lists workflows, the newest first.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class ListCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only those in this state: ${COMPLETION-CANDIDATES}.")
  private @Nullable Status status;

  @Option(
      names = "--workflow",
      paramLabel = "NAME",
      description = "Only those of this definition, such as Checkout.")
  private @Nullable String workflow;

  @Option(
      names = "--where",
      paramLabel = "FILTER",
      description =
          "Only those that it lets through: \"status = held and attribute.customer = 'c-7'\".")
  private @Nullable String filter;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most so many; ${DEFAULT-VALUE} if not given.")
  private int limit = ListQuery.all().limit();

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "The next page: what the page before says at its end.")
  private @Nullable String cursor;

  @Option(names = "--count", description = "Only how many there are.")
  private boolean count;

  @Option(
      names = "--count-by",
      paramLabel = "FIELD",
      description = "Only how many there are of each: status or workflow.")
  private @Nullable String countBy;

  @Override
  public void run() {
    var query = query();
    try (var store = reading.open()) {
      var wanted = Filter.of(query, store.clock().instant());
      if (countBy != null) print(store.countBy(wanted, Grouping.of(countBy)));
      else if (count) print(store.count(wanted));
      else print(page(store, wanted), NodeView.of(store));
    }
  }

  private ListQuery query() {
    try {
      return new ListQuery(status, workflow, filter, cursor, limit);
    } catch (IllegalArgumentException outOfRange) {
      throw reading.wrong("Invalid value for option '--limit': " + outOfRange.getMessage());
    }
  }

  private RunPage page(Store store, Filter wanted) {
    return HistoryView.page(store.list(wanted, RunCursor.key(cursor), limit + 1), limit);
  }

  private void print(long number) {
    reading.out().println(reading.json() ? Json.counts(Map.of("count", number)) : number);
  }

  private void print(Map<String, Long> counts) {
    var sorted = new TreeMap<>(counts);
    if (reading.json()) {
      reading.out().println(Json.counts(sorted));
      return;
    }
    var table = new Table(countBy == null ? "" : countBy.toUpperCase(Locale.ROOT), "RUNS");
    sorted.forEach((group, number) -> table.add(group, String.valueOf(number)));
    table.print(reading.out());
  }

  private void print(RunPage page, List<NodeDescription> nodes) {
    if (reading.json()) {
      reading.out().println(Json.runs(page.runs()));
      page.nextPage().ifPresent(next -> reading.err().println("There are more: --after " + next));
      return;
    }
    if (page.runs().isEmpty()) {
      reading
          .out()
          .println(isNarrow() ? "There are no such workflows." : "There are no workflows yet.");
      return;
    }
    new RunTable(page.runs(), nodes, ZoneId.systemDefault()).print(reading.out());
    page.nextPage().ifPresent(next -> reading.out().printf("%nThere are more: --after %s%n", next));
  }

  private boolean isNarrow() {
    return status != null || workflow != null || filter != null || cursor != null;
  }
}
