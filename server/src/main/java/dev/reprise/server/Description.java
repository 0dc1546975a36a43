package dev.reprise.server;

import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import dev.reprise.Waiting;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How a run is, for people. */
final class Description {
  private static final Pattern TIME =
      Pattern.compile(
          "((?:until|at) )(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z)");

  private final RunDescription run;
  private final List<HistoryEvent> last;
  private final ZoneId zone;

  /**
   * Of a run.
   *
   * @param last the events that happened last
   */
  Description(RunDescription run, List<HistoryEvent> last, ZoneId zone) {
    this.run = run;
    this.last = List.copyOf(last);
    this.zone = zone;
  }

  void print(PrintWriter out, @Nullable String owner) {
    out.println(Table.printable(HistoryTable.heading(run, zone)));
    line(out, "Run", run.runId().toString());
    line(out, "Owner", owner);
    line(out, "Parent", run.parent());
    if (!run.attributes().isEmpty()) line(out, "Attributes", attributes());
    if (!run.waitingFor().isEmpty()) {
      out.printf("%nWaits for%n");
      for (var waiting : run.waitingFor()) out.println("  " + Table.printable(text(waiting)));
    }
    if (!last.isEmpty()) {
      out.println();
      new HistoryTable(run, last, zone).printEvents(out);
    }
    var blockedBy = run.blockedBy();
    if (blockedBy != null) out.printf("%nBlocked: %s%n", Table.printableLines(blockedBy));
  }

  private static void line(PrintWriter out, String name, @Nullable String value) {
    if (value != null) out.printf("%-12s%s%n", name + ":", Table.printable(value));
  }

  private String attributes() {
    return new TreeMap<>(run.attributes())
        .entrySet().stream()
            .map(each -> each.getKey() + " = " + each.getValue())
            .collect(Collectors.joining(", "));
  }

  /** Notes of the engine have times in UTC; here all are those of the reader. */
  private String local(String note) {
    return TIME.matcher(note)
        .replaceAll(time -> time.group(1) + Moments.full(Instant.parse(time.group(2)), zone));
  }

  private String text(Waiting waiting) {
    var kind = waiting.kind().name().toLowerCase(Locale.ROOT);
    var text = new StringBuilder();
    if (!waiting.what().startsWith(kind + " ")) text.append(kind).append(' ');
    text.append(waiting.what());
    if (waiting.attempt() > 1) text.append(", attempt ").append(waiting.attempt());
    if (waiting.note() != null) text.append(", ").append(local(waiting.note()));
    if (waiting.due() != null) text.append(", due ").append(Moments.full(waiting.due(), zone));
    if (waiting.site() != null) text.append(", at ").append(waiting.site());
    var failure = waiting.lastFailure();
    if (failure != null) text.append(", after ").append(failure.type());
    if (failure != null && failure.message() != null) text.append(": ").append(failure.message());
    return text.toString();
  }
}
