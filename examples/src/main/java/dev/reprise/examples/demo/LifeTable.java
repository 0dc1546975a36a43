package dev.reprise.examples.demo;

import static java.util.stream.Collectors.toCollection;

import dev.reprise.examples.demo.ActivityLog.Entry;
import dev.reprise.examples.demo.ActivityLog.Moment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which activity ran in which life, as the activities themselves tell it. */
record LifeTable(List<Entry> entries) {
  private static final String ROW = "%-24s%-14s%s";

  LifeTable {
    entries = List.copyOf(entries);
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(ROW.formatted("ACTIVITY", "FIRST LIFE", "SECOND LIFE"));
    for (var activity : activities()) {
      lines.add(ROW.formatted(activity, outcome(1, activity), outcome(2, activity)));
    }
    return lines;
  }

  private String outcome(int life, String activity) {
    if (entries.contains(new Entry(life, Moment.DONE, activity))) return "completed";
    return entries.contains(new Entry(life, Moment.BEGINS, activity)) ? "cut off" : "-";
  }

  /** All activities, in the order in which they first began. */
  private Set<String> activities() {
    return entries.stream().map(Entry::activity).collect(toCollection(LinkedHashSet::new));
  }

  /** Activities that came to their end, in whichever life. */
  Set<String> completed() {
    return entries.stream()
        .filter(entry -> entry.moment() == Moment.DONE)
        .map(Entry::activity)
        .collect(toCollection(LinkedHashSet::new));
  }

  /** Activities that were running when the first life ended. */
  List<String> cutOff() {
    return activities().stream().filter(each -> outcome(1, each).equals("cut off")).toList();
  }

  /** Activities that completed and began once more after that: a broken promise. */
  Set<String> ranAgain() {
    var done = new LinkedHashSet<String>();
    var again = new LinkedHashSet<String>();
    for (var entry : entries) {
      switch (entry.moment()) {
        case BEGINS -> {
          if (done.contains(entry.activity())) again.add(entry.activity());
        }
        case DONE -> done.add(entry.activity());
      }
    }
    return again;
  }
}
