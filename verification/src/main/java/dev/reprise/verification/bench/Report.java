package dev.reprise.verification.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Collects results, and says on the way how far things are. For one thread. */
final class Report {
  private final PrintStream progress;
  private final long begin = System.nanoTime();
  private final List<Result> results = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private boolean sound = true;

  /** A remark on the results of a workload. */
  record Note(String workload, String text) {}

  Report(PrintStream progress) {
    this.progress = progress;
  }

  /** What is being done now. */
  void progress(String text) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    progress.println(String.format(Locale.ROOT, "%4d s  %s", seconds, text));
  }

  /** A case begins. */
  void begin(Workload workload, Site site, String setting) {
    progress(name(workload, site, setting) + " …");
  }

  private static String name(Workload workload, Site site, String setting) {
    return "%s %s, %s".formatted(workload.id(), site.label(), setting);
  }

  /** A case has ended, with these figures. */
  void add(Workload workload, Site site, String setting, Series series) {
    add(workload.id(), site, setting, series);
    var first = series.spreads().entrySet().iterator().next();
    progress(name(workload, site, setting) + ": " + first.getValue() + " " + first.getKey());
  }

  /** More figures of a case, for a table of their own. */
  void add(String table, Site site, String setting, Series series) {
    results.add(new Result(table, site.label(), setting, series.spreads()));
  }

  /** Both contestants had a workload. */
  void addAll(Workload workload, Outcome ours, Outcome theirs) {
    results.addAll(Comparison.sideBySide(ours.results(), theirs.results()));
    for (var outcome : List.of(ours, theirs)) {
      for (var note : outcome.notes()) note(note.workload(), note.text());
      if (!outcome.sound()) sound = false;
    }
    note(workload, "times: ours by theirs, " + theirs.engine() + ", each in a process of its own");
  }

  /** A remark for below the table, shown once however often it is made. */
  void note(Workload workload, String text) {
    note(workload.id(), text);
  }

  /** The same for a table by its name. */
  void note(String table, String text) {
    var note = new Note(table, text);
    if (!notes.contains(note)) notes.add(note);
  }

  /** Something is not as it must be, however fast it was. */
  void wrong(Workload workload, String text) {
    note(workload, "WRONG: " + text);
    sound = false;
  }

  /** Whether nothing was wrong. */
  boolean isSound() {
    return sound;
  }

  List<Result> results() {
    return List.copyOf(results);
  }

  List<Note> notes() {
    return List.copyOf(notes);
  }

  /** One table for each workload, with the notes below. */
  String text() {
    var text = new StringBuilder();
    for (var workload : workloads()) {
      text.append('\n').append(table(workload));
      for (var note : notes) {
        if (note.workload().equals(workload)) text.append("  ").append(note.text()).append('\n');
      }
    }
    return text.toString();
  }

  private LinkedHashSet<String> workloads() {
    var ids = new LinkedHashSet<String>();
    for (var result : results) ids.add(result.workload());
    for (var note : notes) ids.add(note.workload()); // of one that failed at once
    return ids;
  }

  private TextTable table(String workload) {
    var mine = results.stream().filter(result -> result.workload().equals(workload)).toList();
    var figures = new LinkedHashSet<String>();
    for (var result : mine) figures.addAll(result.figures().keySet());
    var table = new TextTable(workload, "store");
    figures.forEach(table::addColumn);
    for (var result : mine) {
      var row = table.addRow(result.setting(), result.store());
      for (var figure : figures) {
        var value = result.figures().get(figure);
        row.add(value == null ? "" : value.toString());
      }
    }
    return table;
  }
}
